import { click, clickAt, clickExact, fill, waitForText, waitForTimeline } from '../actions.mjs'
import { callControl, createTraffic } from '../sandbox.mjs'

/** Two business days later, at pace real, with a second Program. The last state stops the sandbox. */
export const later = {
  name: 'later',
  world: 'demo',
  flags: ['--pace', 'real'],
  prepare: async (sandbox) => {
    const traffic = await createTraffic(sandbox)
    await callControl(sandbox, 'programs.create', { name: 'Second Program' })
    await callControl(sandbox, 'clock.advance', { business_days: 2 })
    await callControl(sandbox, 'snapshots.keep', {
      name: 'A snapshot with a name as long as the names of snapshots may be',
    })
    await callControl(sandbox, 'snapshots.keep', { name: 'short' })
    return traffic
  },
  states: [
    ['accounts', '#/accounts'],
    ['line', '#/accounts?line=line'],
    ['customer-story', '#/customers/$customer?tab=story', waitForTimeline],
    ['record-queued', '#/transactions/$payment'],
    ['requests', '#/requests'],
    ['programs', '#/customers', clickAt('button:has-text("Switch Program.")')],
    ['settings', '#/settings'],
    ['settings-saved', '#/settings', fill('minimum_amount', '25'), clickExact('Save'), waitForText('Saved: 1 change.')],
    ['snapshots-long', '#/customers?line=snapshots'],
    ['snapshots-restored', '#/customers?line=snapshots', click('Restore short'), waitForText('Restored short.')],
    ['operations', '#/customers?line=operations', clickAt('[data-line] [data-row]', 3)],
    ['break', '#/customers', click('Custom…'), clickExact('Set'), waitForText(/^Freezes when/)],
    ['advanced', '#/customers?line=line', click('1 business day'), waitForText(/^Undo advance of 1 business day/)],
    [
      'lost',
      '#/customers',
      async (page, sandbox) => {
        sandbox.stop()
        await page.getByText('Connection lost').waitFor()
      },
    ],
  ],
}
