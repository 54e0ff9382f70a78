/** An HTTP method: bold unless it only reads. */
export function Method({ name }: { name: string }) {
  return name === 'GET' ? <span className="soft">{name}</span> : <b>{name}</b>
}
