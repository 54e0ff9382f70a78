import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { resetReplay } from '../../src/renderer/data/replay.ts'
import { isBundle, readFileText, replayInput, toLinePath } from '../../src/renderer/data/replay-input.ts'
import { exchange, Refused, showApp } from './support.tsx'

beforeEach(resetReplay)

const data = [exchange('x3', { seq_before: 7 }), exchange('x2'), exchange('x1')]

const show = (address: string, reply: unknown) =>
  showApp(address, {
    'exchanges.list': { total_count: 3, count: 3, limit: 1000, offset: 0, data },
    'snapshots.list': { snapshots: [{ name: 'before-lunch' }, { name: 'torn', trouble: 'cut short' }] },
    'exchanges.replay': reply,
  })

const replayed = { same: 1, differs: 0, refused: 0, unrecorded: 0, left: 0, exchanges: [], acts: [], unusable: [] }
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))

describe('a replay', () => {
  it('of everything since a request can use a valid snapshot', async () => {
    const { calls } = show('/#/requests/x3?replay=own', replayed)
    fireEvent.click(await screen.findByLabelText(/^Everything since/))
    await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>(/^A snapshot/).disabled).toBe(false))
    fireEvent.click(screen.getByLabelText(/^A snapshot/))
    expect([...screen.getByLabelText<HTMLSelectElement>('Snapshot').options].map(({ text }) => text)).toEqual([
      'before-lunch',
    ])
    fireEvent.click(screen.getByLabelText(/^Keep the time/))
    press('Replay')
    await screen.findByText('1 same')
    const input = { since: 7, into: { snapshot: 'before-lunch' }, gaps: false, stays: true }
    expect(calls).toContainEqual({ name: 'exchanges.replay', input })
  })

  it('that fails shows the error, and keeps the chosen options', async () => {
    show('/#/requests?replay=own', new Refused(400, 1007, 'Invalid Argument'))
    await screen.findByLabelText('All requests in the list: 3')
    press('Replay')
    expect((await screen.findByRole('alert')).textContent).toBe('The replay failed. 1007 Invalid Argument: A detail. ')
    expect(screen.getByLabelText<HTMLInputElement>('All requests in the list: 3').checked).toBe(true)
  })

  it('that was canceled shows how many steps were not replayed', async () => {
    show('/#/requests/x3?replay=own', { ...replayed, left: 288 })
    await screen.findByLabelText(/^This request/)
    press('Replay')
    expect(await screen.findByText('Canceled: 288 recorded steps were not replayed.')).toBeTruthy()
  })
})

describe('an imported file', () => {
  it('is a bundle if its first line says so', () => {
    expect(isBundle('\ufeff{"sandbank":"bundle","version":1}\n{}')).toBe(true)
    expect(isBundle('{"log":{"note":"x"}}\n{"sandbank":"bundle"}')).toBe(false)
  })
  it('is read as UTF-8 or UTF-16, and refused if it is not text', async () => {
    const utf16 = new Uint8Array([0xff, 0xfe, 0x63, 0, 0x75, 0])
    const file = (bytes: Uint8Array<ArrayBuffer>) => ({ arrayBuffer: () => Promise.resolve(bytes.buffer) }) as Blob
    expect(await readFileText(file(utf16))).toBe('cu')
    expect(await readFileText(file(new TextEncoder().encode('ü')))).toBe('ü')
    await expect(readFileText(file(new Uint8Array([0x1f, 0x8b, 8])))).rejects.toThrow('It is not a text file')
  })
  it('is replayed into the chosen target', () => {
    const setup = { place: 'demo', snapshot: '', gaps: null } as const
    expect(replayInput({ text: 'x' }, setup)).toEqual({ text: 'x', into: { fresh: 'demo' }, gaps: true, stays: true })
    expect(toLinePath('data[0].items[12].status')).toBe('data.0.items.12.status')
  })
})
