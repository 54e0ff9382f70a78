import { it } from 'vitest'
import { goTo, openDemo, visit } from '../support/window.ts'

it('x', async (c) => {
  const s = await openDemo()
  const page = await visit(c, s.gui, { viewport: { width: 1440, height: 900 } })
  for (const h of (process.env.SHOTS ?? 'webhooks vrns faults').split(' ')) {
    await goTo(page, `#/${h}`)
    await page.waitForTimeout(1200)
    if (h === 'month') {
      await page.keyboard.press('Escape')
    }
    await page.screenshot({ path: `/tmp/shots/${h.replaceAll('/', '-')}.png` })
  }
})
