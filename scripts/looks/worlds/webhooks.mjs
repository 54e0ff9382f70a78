import { createServer } from 'node:http'
import { click, clickAt, clickExact, fillDialog, waitFor, waitForText } from '../actions.mjs'
import { callControl, createTraffic } from '../sandbox.mjs'

/** A receiver that accepts every event, except those of Transfers. */
async function startReceiver() {
  const server = createServer((request, response) => {
    request.resume()
    const isAccepted = !request.url.startsWith('/hooks/transfers')
    response.writeHead(isAccepted ? 204 : 503).end(isAccepted ? '' : '{"error":"the queue is full"}')
  })
  await new Promise((done) => server.listen(0, '127.0.0.1', done))
  server.unref()
  return `http://127.0.0.1:${server.address().port}/hooks`
}

const eventOf = (name) => clickAt(`[data-row]:has-text("${name}")`)

/** Webhooks, and events in every state of their deliveries. */
export const webhooks = {
  name: 'webhooks',
  world: 'demo',
  prepare: async (sandbox) => {
    const url = await startReceiver()
    await callControl(sandbox, 'webhooks.create', { url: null, topics: ['customers'] })
    await callControl(sandbox, 'webhooks.create', { url, confirm: false })
    const traffic = await createTraffic(sandbox)
    await callControl(sandbox, 'clock.advance', { by: 'PT1M' })
    const { uid: silent } = await callControl(sandbox, 'webhooks.create', {
      url: 'http://127.0.0.1:9/an/address/that/is/long/enough/to/need/two/lines',
      topics: ['transactions', 'virtual_reference_number.registration_status_change'],
      envelope: 'data',
    })
    await callControl(sandbox, 'clock.advance', { by: 'PT5S' })
    const { data } = await callControl(sandbox, 'events.list', { topic: 'transfers' })
    await callControl(sandbox, 'events.hold', { uid: data.at(-1).uid })
    return { ...traffic, silent, transfer: data[0].record_uid, event: data[0].uid }
  },
  states: [
    ['webhooks', '#/webhooks', waitFor('[data-row]')],
    ['webhooks-waiting', '#/webhooks', eventOf('transfers.created'), waitForText('the queue is full')],
    ['webhooks-delivered', '#/webhooks', eventOf('transactions.created'), waitForText('accepted')],
    [
      'webhooks-since',
      '#/webhooks',
      eventOf('transactions.created'),
      click(/^Resend since/),
      waitForText('oldest first'),
    ],
    ['webhooks-add', '#/webhooks?form=new'],
    ['webhooks-add-wrong', '#/webhooks?form=new', fillDialog('url', 'nowhere'), clickExact('Add')],
    [
      'webhooks-add-refused',
      '#/webhooks?form=new',
      fillDialog('url', 'https://example.com/hooks'),
      clickExact('Add'),
      waitForText('this machine only'),
    ],
    ['webhooks-edit', '#/webhooks?form=$silent'],
    ['webhooks-delete', '#/webhooks', click(/^Delete/)],
    ['webhooks-no-match', '#/webhooks?topic=test&status=held', waitForText('No webhook event matches')],
    ['record-events', '#/transfers/$transfer', waitForText('What happened')],
    ['record-event', '#/webhook_events/$event', waitForText('503 refused')],
  ],
}
