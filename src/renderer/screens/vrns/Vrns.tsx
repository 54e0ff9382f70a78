export function Vrns() {
  return (
    <div className="bar">
      <h1>VRNs</h1>
    </div>
  )
}
