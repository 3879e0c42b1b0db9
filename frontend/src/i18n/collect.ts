type Tree = { [key: string]: string | Tree };

const files = import.meta.glob<Tree>("./{en,ja}/*.json", { eager: true, import: "default" });

/** All words of a language; each file is one branch: canvas.json holds "canvas.…". */
export function collect(lng: "en" | "ja"): Tree {
  return Object.fromEntries(Object.entries(files).filter(([path]) => path.startsWith(`./${lng}/`)).map(([path, words]) => [path.slice(5, -5), words]));
}
