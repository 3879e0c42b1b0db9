// Plain React Flow with the same team, as its own documentation shows it. Only the benchmark
// builds this page; the product does not hold it.
import { applyNodeChanges, ReactFlow } from "@xyflow/react";
import "@xyflow/react/dist/style.css";
import { useCallback, useEffect, useRef, useState } from "react";
import { createRoot } from "react-dom/client";

function firstFrame() {
  requestAnimationFrame(() => requestAnimationFrame(() => performance.mark("agentflow:first-frame")));
}

function Page({ team }) {
  const [nodes, setNodes] = useState(() => team.agents.map((a) => ({ id: a.id, position: { x: team.layout[a.id].x, y: team.layout[a.id].y }, data: { label: a.name } })));
  const [edges] = useState(() => team.agents.flatMap((a) => a.connections.map((c) => ({ id: `${a.id} ${c.type} ${c.targetId}`, source: a.id, target: c.targetId }))));
  const [chosen, setChosen] = useState();
  const past = useRef([]);
  const onNodesChange = useCallback((changes) => setNodes((all) => applyNodeChanges(changes, all)), []);
  useEffect(() => {
    const onKey = (e) => { if (e.key === "z" && e.ctrlKey && past.current.length) setNodes(past.current.pop()); };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  const name = (label) => setNodes((all) => all.map((n) => (n.id === chosen ? { ...n, data: { label } } : n)));
  return (
    <div style={{ display: "flex", height: "100vh" }}>
      <div style={{ flex: 1 }}>
        <ReactFlow nodes={nodes} edges={edges} onNodesChange={onNodesChange} onNodeDragStart={() => past.current.push(nodes)} onNodeClick={(_, n) => setChosen(n.id)} panOnScroll zoomOnPinch minZoom={0.05} fitView onInit={firstFrame} />
      </div>
      <div style={{ width: 320 }}>{chosen && <input id="name" value={nodes.find((n) => n.id === chosen).data.label} onChange={(e) => name(e.target.value)} />}</div>
    </div>
  );
}

fetch("team.json").then((r) => r.json()).then((team) => createRoot(document.getElementById("root")).render(<Page team={team} />));
