import { flushRoute } from '../data/route.ts'
import { copyText } from '../ui/copy.ts'

/** Copies the address of the present view, and says so. */
export async function copyAddress(): Promise<string> {
  flushRoute()
  return (await copyText(location.href)) ? 'Address copied' : 'The address could not be copied'
}
