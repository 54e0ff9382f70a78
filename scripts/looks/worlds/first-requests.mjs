import { click } from '../actions.mjs'
import { signIn } from '../sandbox.mjs'

/** Connect and Now while an app sends its first requests. */
export const firstRequests = {
  name: 'first-requests',
  world: 'empty',
  states: [
    [
      'connect-refused',
      '#/now',
      click(/^Connect/),
      async (page, { api }) => {
        await fetch(`${api}/customers`)
        await page.getByText('See why').first().waitFor()
      },
    ],
    [
      'connect-first',
      '#/now',
      click(/^Connect/),
      async (page, sandbox) => {
        await (await signIn(sandbox))('GET', '/customers?limit=5')
        await page.getByText('Called with the token').waitFor()
      },
    ],
  ],
}
