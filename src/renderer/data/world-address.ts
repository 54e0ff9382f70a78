/**
 * The world that this window shows is named in its address, before the fragment: `/worlds/NAME/#/customers` in a browser,
 * `?world=NAME#/customers` in the desktop app. The root world has no name.
 */

type Place = Pick<Location, 'pathname' | 'search'>

const PREFIX = /^\/worlds\/([^/]+)\//

export function shownWorld(place: Place = location): string | null {
  if (window.sandbox) return new URLSearchParams(place.search).get('world')
  return PREFIX.exec(place.pathname)?.[1] ?? null
}

/** The address of a world; `hash` is the place in it. */
export function worldAddress(world: string | null, hash: string, place: Place = location): string {
  if (window.sandbox) return `${place.pathname}${world === null ? '' : `?world=${encodeURIComponent(world)}`}${hash}`
  return `${world === null ? '' : `/worlds/${encodeURIComponent(world)}`}/${hash}`
}
