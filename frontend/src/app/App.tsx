export function App() {
  return <div className="app"><main className="main" /></div>;
}
