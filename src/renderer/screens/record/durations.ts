/** 21 h 45 min 07 s; from a day on without the seconds. */
export function lasting(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const [days, hours, minutes] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3600) % 24,
    Math.floor(seconds / 60) % 60,
  ]
  const two = (n: number) => String(n).padStart(2, '0')
  if (days > 0) return `${days} ${days === 1 ? 'day' : 'days'} ${hours} h ${two(minutes)} min`
  if (hours > 0) return `${hours} h ${two(minutes)} min ${two(seconds % 60)} s`
  return minutes > 0 ? `${minutes} min ${two(seconds % 60)} s` : `${seconds} s`
}
