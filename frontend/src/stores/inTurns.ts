import { share, type Team } from "../topology";

/** Fewer agents take no time worth dividing. */
const many = 200;
/** Lets the page answer what was done with it meanwhile. */
const turn = () =>
  new Promise<void>((done) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      done();
    };
    port2.postMessage(0);
  });

/** What the hub says of a large team, made of the parts that are here already, in several turns: to compare thousands of things takes longer than a frame. */
export async function inTurns(had: Pick<Team, "topology" | "changes">, d: Team): Promise<Team> {
  if (d.topology.agents.length <= many) return d;
  await turn();
  const topology = share(had.topology, d.topology);
  await turn();
  const changes = share(had.changes ?? [], d.changes ?? []);
  await turn();
  return { ...d, topology, changes };
}
