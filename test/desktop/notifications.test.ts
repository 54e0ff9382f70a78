import { EventEmitter } from 'node:events'
import { expect, it, onTestFinished, vi } from 'vitest'
import { Notifications } from '../../src/main/notifications.ts'
import { startSandbox } from '../support/sandbox.ts'
import { scheduleTasks } from '../support/tasks.ts'

/** When the system shows a notification, with a real sandbox. No system of the tests shows one. */

const { shown, system } = vi.hoisted(() => ({
  shown: [] as { title: string; body: string; emit(name: string, ...args: unknown[]): boolean }[],
  system: { isSupported: true },
}))
vi.mock('electron', () => ({
  Notification: class extends EventEmitter {
    static isSupported = () => system.isSupported
    readonly title: string
    readonly body: string
    constructor({ title, body }: { title: string; body: string }) {
      super()
      this.title = title
      this.body = body
    }
    show() {
      shown.push(this)
    }
  },
}))

const FIVE_MINUTES = { by: 'PT5M' }

async function follow() {
  shown.length = 0
  system.isSupported = true
  const sandbox = await startSandbox()
  const user = { looks: false }
  const [visited, reports]: [string[], string[]] = [[], []]
  const notifications = new Notifications({
    isWanted: () => !user.looks,
    call: sandbox.call,
    go: (address) => void visited.push(address),
    report: (line) => void reports.push(line),
  })
  onTestFinished(sandbox.subscribe((notice) => notifications.onNotice(notice)))
  const operate = async (name: string, input: object) =>
    expect(await sandbox.call(name, input)).toMatchObject({ ok: true })
  return { sandbox, user, visited, reports, notifications, operate, titles: () => shown.map(({ title }) => title) }
}

it('shows a webhook that fails once until it is seen, and leads to its event', async () => {
  const { sandbox, user, visited, notifications, operate, titles } = await follow()
  // Nothing listens on this port.
  const settings = { url: 'http://127.0.0.1:9/hooks', confirm: false, topics: ['customers'] }
  const created = await sandbox.call('webhooks.create', settings)
  const { uid } = (created as unknown as { value: { uid: string } }).value
  const send = () => operate('webhooks.test', { uid })
  const retry = () => operate('clock.advance', FIVE_MINUTES)
  user.looks = true
  await send()
  await retry()
  expect(titles(), 'the user looks at the window').toEqual([])
  user.looks = false
  await send()
  await send()
  await retry()
  await expect.poll(titles).toEqual(['A webhook fails'])
  expect(shown[0]!.body).toMatch(/^Attempt \d+: \S/)
  shown[0]!.emit('click')
  expect(visited).toEqual([expect.stringMatching(/^#\/webhook_events\/\w+$/)])
  notifications.markSeen()
  await retry()
  await expect.poll(titles).toEqual(['A webhook fails', 'A webhook fails'])
})

it('shows a window to authorize that closes within ten minutes, once', async () => {
  const { sandbox, visited, notifications, operate, titles } = await follow()
  scheduleTasks(sandbox, ['close authorization', 30 * 60_000])
  await operate('clock.advance', { by: 'PT19M' })
  expect(titles()).toEqual([])
  await operate('clock.advance', FIVE_MINUTES)
  await expect.poll(titles).toEqual(['A window to authorize closes soon'])
  expect(shown[0]!.body).toMatch(/^A task that is close authorization: .*2026-08-14T14:30/)
  shown[0]!.emit('click')
  expect(visited).toEqual(['#/?line=tasks'])
  notifications.markSeen()
  await operate('clock.advance', FIVE_MINUTES)
  expect(titles()).toHaveLength(1)
})

it('asks what closes also after a commit, and again after a rewind', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { sandbox, notifications, titles } = await follow()
  scheduleTasks(sandbox, ['close authorization', 60_000])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(titles()).toHaveLength(1)
  notifications.markSeen()
  notifications.onNotice({ type: 'world' })
  await vi.advanceTimersByTimeAsync(1_000)
  expect(titles(), 'the same uid may be another task').toHaveLength(2)
})

it('says once why the system shows none, and the sandbox goes on', async () => {
  const { sandbox, reports, operate } = await follow()
  const failTask = async () => {
    scheduleTasks(sandbox, ['fragile', 60_000])
    await operate('clock.advance', FIVE_MINUTES)
  }
  await failTask()
  await expect.poll(() => shown).toHaveLength(1)
  shown[0]!.emit('failed', {}, 'the user has refused them')
  await failTask()
  await expect.poll(() => shown, { message: 'what was refused was not seen' }).toHaveLength(2)
  shown[1]!.emit('failed', {}, 'the user has refused them')
  system.isSupported = false
  await failTask()
  expect(shown).toHaveLength(2)
  expect(reports).toEqual(['Notifications are not shown: the user has refused them. The window lists what fails.'])
})
