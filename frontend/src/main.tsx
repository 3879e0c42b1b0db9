import { createRoot } from "react-dom/client";
import "./index.css";
import "./i18n";
import { App } from "./app/App";

const root = document.getElementById("root");
if (root) createRoot(root).render(<App />);
