export function Faults() {
  return null
}
