import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "./index.css";
import { startLanguage } from "./i18n";
import { look } from "./stores/look";
import { allowOwnStyles } from "./ui";
import { App } from "./app/App";

const root = document.getElementById("root");
allowOwnStyles();
if (root)
  void startLanguage(look().language).then(() => {
    createRoot(root).render(
      <StrictMode>
        <App />
      </StrictMode>,
    );
  });
