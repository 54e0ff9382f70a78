export function Inject() {
  return (
    <div className="bar">
      <h1>Inject</h1>
    </div>
  )
}
