import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { methodNames } from '../../src/api/contract/control/methods.ts'
import { findEndpointsWithError } from '../../src/api/contract/describe/relations.ts'
import { endpoints } from '../../src/api/contract/endpoints.ts'
import { errors } from '../../src/api/contract/errors.ts'
import { machines } from '../../src/api/contract/machines.ts'
import { achReturnCodes, instantPaymentRejections, nocCodes } from '../../src/api/contract/network-codes.ts'
import { flattenShape, shapeOf } from '../../src/api/contract/shape.ts'
import type { Endpoint } from '../../src/api/contract/terms/endpoint.ts'
import { type ExampleName, examples } from '../../src/api/contract/terms/examples.ts'
import { outcomesOfNumber, triggers } from '../../src/api/contract/triggers.ts'
import { useRoute } from '../../src/renderer/data/route.ts'
import { connect } from '../../src/renderer/data/sandbox.ts'
import { findFieldErrors } from '../../src/renderer/forms/field-errors.ts'
import {
  bodyAfter,
  bodyOf,
  findInjection,
  findMissing,
  injections,
  withEnding,
} from '../../src/renderer/forms/injections.ts'
import type { Examples } from '../../src/renderer/forms/use-examples.ts'
import { findMachines, findPages, pages, searchPages } from '../../src/renderer/screens/reference/pages.ts'
import { Reference } from '../../src/renderer/screens/reference/Reference.tsx'
import { fakeBridge } from './support.tsx'

afterEach(cleanup)

function show(record: string | null, params: Record<string, string[]> = {}) {
  onTestFinished(connect(fakeBridge().bridge))
  useRoute.setState({ screen: 'reference', collection: null, record, params })
  render(<Reference />)
  return screen.getByRole('region', { name: 'Page' })
}

const all = Object.entries<Endpoint>(endpoints)

describe('the reference', () => {
  it('has a page for every endpoint and every method of the control API', () => {
    expect(pages.map(({ id }) => id)).toEqual(expect.arrayContaining([...Object.keys(endpoints), ...methodNames]))
    expect(new Set(pages.map(({ id }) => id)).size).toBe(pages.length)
  })

  it.each(['createTransfer', 'listCustomers', 'archiveVirtualReferenceNumber', 'createAccessToken'] as const)(
    'the page of %s has its fields, its errors in their order, and its response',
    (name) => {
      const page = show(name)
      const { method, path, query, body, errors: declared, status } = endpoints[name] as Endpoint
      expect(within(page).getByRole('heading', { level: 2, name: `${method} ${path}` })).toBeTruthy()
      for (const [of, schema] of [
        ['the query', query],
        ['the body', body],
      ] as const) {
        const table = within(page).queryByRole('region', { name: `Fields of ${of}` })
        expect(table !== null).toBe(schema !== undefined)
        const named = [...(table?.querySelectorAll('tbody th') ?? [])].map((cell) => cell.getAttribute('title'))
        expect(named).toEqual(schema ? flattenShape(shapeOf(schema)).map((row) => row.path) : [])
      }
      const codes = [...page.querySelectorAll('[data-key]')].map((row) => row.getAttribute('data-key'))
      expect(codes).toEqual(expect.arrayContaining([...declared]))
      expect(codes.slice(0, 2)).toEqual(['unauthorized', 'notAllowed'])
      expect(within(page).getByRole('heading', { name: `Response ${status}` })).toBeTruthy()
    },
  )

  it('lists every error with the endpoints that declare it, and highlights the one in the address', () => {
    const page = show('errors', { code: ['3004'] })
    const rows = [...page.querySelectorAll('[data-key]')]
    expect(rows.map((row) => row.getAttribute('data-key'))).toEqual(Object.keys(errors))
    expect(rows.filter((row) => row.ariaCurrent ?? row.getAttribute('aria-current')).length).toBe(1)
    const highlighted = page.querySelector<HTMLElement>('[data-key="insufficientFunds"]')!
    expect(highlighted.getAttribute('aria-current')).toBe('true')
    expect(within(highlighted).getByRole('link', { name: 'createTransfer' }).getAttribute('href')).toContain(
      '#/reference/createTransfer',
    )
    expect(findEndpointsWithError('insufficientFunds')).toContain('createTransfer')
  })

  it('lists every forced outcome', () => {
    const page = show('triggers')
    for (const { when, outcome } of triggers) {
      expect(within(page).getByText(when)).toBeTruthy()
      expect(within(page).getByText(outcome)).toBeTruthy()
    }
  })

  it('lists every state machine with all its states and transitions', () => {
    const page = show('states')
    for (const machine of Object.values(machines)) {
      const table = within(page).getByRole('region', { name: `Transitions of ${machine.resource}` })
      for (const state of machine.states) expect(within(table).getAllByText(state).length).toBeGreaterThan(0)
      for (const event of Object.keys(machine.moves)) expect(within(table).getByText(event)).toBeTruthy()
    }
  })

  it('shows every state machine on the page of an endpoint', () => {
    const shown = new Set(all.flatMap(([, { path }]) => findMachines(path)))
    expect(shown).toEqual(new Set(Object.keys(machines)))
  })

  it('lists every network code', () => {
    const page = show('codes')
    for (const code of [achReturnCodes, nocCodes, instantPaymentRejections].flatMap((codes) => Object.keys(codes)))
      expect(within(page).getByText(code)).toBeTruthy()
  })

  it('shows the input and output of a control method', () => {
    const page = show('clock.advance')
    expect(within(page).getByText('POST /control/clock.advance')).toBeTruthy()
    expect(within(page).getByRole('rowheader', { name: 'business_days' })).toBeTruthy()
  })

  it('marks no field as required that only one of several shapes requires', () => {
    const page = show('clock.advance')
    const input = within(within(page).getByRole('region', { name: 'Input' }))
    expect(input.getByText('One of these shapes:', { exact: false }).textContent).toBe(
      'One of these shapes: by, to, business_days, until or text',
    )
    expect(input.queryByText('required', { exact: false })).toBe(null)
  })

  it('shows an error for an unknown page', () => {
    expect(show('nothing').textContent).toContain('There is no page nothing.')
  })

  it('is searched by path, error and summary', () => {
    expect(findPages('cancel transfer').map(({ id }) => id)).toContain('cancelTransfer')
    expect(findPages('3004').map(({ id }) => id)).toEqual(['errors'])
    expect(findPages('no such thing at all')).toEqual([])
    show(null)
    fireEvent.change(screen.getByLabelText('Search the reference'), { target: { value: 'mock_transactions' } })
    expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual([
      'POST/sandbox/mock_transactions',
    ])
  })

  it('is searched by field; pages with that name come first', () => {
    const findPagesWithField = (text: string) =>
      searchPages(text)
        .find(({ title }) => title === `With a field ${text}`)
        ?.items.map(({ id }) => id)
    expect(findPagesWithField('usd_transfer_amount')).toEqual(expect.arrayContaining(['createTransfer', 'getTransfer']))
    expect(findPagesWithField('usd_transfer_amount')).not.toContain('listPools')
    expect(findPagesWithField('break_on')).toContain('clock.read')
    expect(findPagesWithField('limit'), 'pages that match by name are not listed again').not.toContain('limits')
    expect(findPagesWithField('no_such_field')).toBe(undefined)
  })

  it('highlights the error code that was searched for', () => {
    show(null, { q: ['3004'] })
    fireEvent.click(screen.getByRole('option', { name: 'Error codes' }))
    expect(document.querySelector('[aria-current]')?.getAttribute('data-key')).toBe('insufficientFunds')
  })

  it('keeps the scroll position of each page', () => {
    const height = vi.spyOn(Element.prototype, 'scrollHeight', 'get').mockReturnValue(5_000)
    onTestFinished(() => height.mockRestore())
    show('errors').scrollTop = 1_200
    const to = (record: string) => {
      act(() => useRoute.setState({ record }))
      return document.querySelector('#reference-page')!.scrollTop
    }
    expect(to('triggers')).toBe(0)
    expect(to('errors')).toBe(1_200)
  })
})

describe('the injections', () => {
  const of: Examples = {
    customer: undefined,
    values: new Map(Object.entries(examples) as [ExampleName, string][]),
    missing: new Set(),
  }

  it.each(injections.map((injection) => [injection.title, injection] as const))(
    '%s starts with a valid body',
    (_, injection) => {
      const { body } = endpoints[injection.endpoint] as Endpoint
      expect(findMissing(injection.body(), of)).toBe(null)
      expect([...findFieldErrors(body!, bodyOf(injection, of))]).toEqual([])
      const fields = shapeOf(body!).fields.map(({ name }) => name)
      expect(fields).toEqual(expect.arrayContaining([...(injection.leads ?? [])]))
      if (injection.next) {
        const next = findInjection(injection.next.kind, { vrn: false })
        const body = bodyAfter(injection, { uid: 'made5678901234ab' }, of)
        expect(body[injection.next.field]).toBe('made5678901234ab')
        expect([...findFieldErrors((endpoints[next.endpoint] as Endpoint).body!, body)]).toEqual([])
      }
    },
  )

  it('sends a debit to a counterparty whose code returns debits only, and a credit to the others', () => {
    for (const id of ['ach-99', 'ach-97']) {
      const injection = findInjection(id, { vrn: false })
      const sides = (ending: string) => {
        const body = bodyAfter(injection, { uid: 'made5678901234ab', account_number: `44108820${ending}` }, of)
        return [body.source_synthetic_account_uid, body.destination_synthetic_account_uid]
      }
      for (const { ending, code } of injection.codes!) {
        const { hits } = achReturnCodes[code]!
        expect([code, sides(ending).indexOf('made5678901234ab')]).toEqual([code, hits === 'debit' ? 0 : 1])
        expect(new Set(sides(ending)).size).toBe(2)
      }
    }
  })

  it('says what the world lacks, and leaves its field empty', () => {
    const onboarding = findInjection('onboard', { vrn: false })
    const lacking = { ...of, missing: new Set(['initiated_customer'] as const) }
    expect(bodyOf(onboarding, lacking)).toEqual({ customer_uid: '', product_uid: examples.initial_product })
    expect(findMissing(onboarding.body(), lacking)).toMatchObject({ isAccount: false })
    expect(findMissing(onboarding.body(), lacking)!.text).toContain('Create one')
  })

  it('has every transaction_type of the contract, incoming and outgoing, and every trigger', () => {
    const bodies = injections.filter(({ endpoint }) => endpoint === 'createMockTransaction').map(({ body }) => body())
    const requested = bodies.map(
      ({ transaction_type, us_dollar_amount }) => `${transaction_type} ${Math.sign(Number(us_dollar_amount ?? 0))}`,
    )
    for (const rail of ['ach', 'wire', 'instant_payment'])
      expect(requested).toEqual(expect.arrayContaining([`${rail} 1`, `${rail} -1`]))
    expect(requested).toContain('ach_return 0')
    const forced = injections.flatMap(({ description, outcome }) =>
      outcome === undefined ? [] : [{ when: description, outcome }],
    )
    expect(forced).toEqual(triggers.map(({ when, outcome }) => ({ when, outcome })))
  })

  it('selects a network code by as many digits as force it, so the account number keeps its length', () => {
    for (const { codes = [], ending = '' } of injections)
      for (const code of codes) {
        const number = withEnding(`44108820${ending}`, code.ending)
        expect(number).toHaveLength(8 + ending.length)
        expect(Object.values(outcomesOfNumber(number))).toContain(code.code)
      }
    const ids = injections.filter(({ codes }) => codes).map(({ id }) => id)
    expect(ids).toEqual(['ach-99', 'ach-97', 'ach-96', 'ach-98', 'instant-reject'])
  })

  it('is chosen by the record that the address names', () => {
    expect(findInjection(undefined, { vrn: true }).id).toBe('vrn')
    expect(findInjection(undefined, { vrn: false }).id).toBe('ach-credit')
    expect(findInjection('ach-return', { vrn: true }).id).toBe('ach-return')
  })
})
