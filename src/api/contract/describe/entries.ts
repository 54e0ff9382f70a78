import program from '../../../../resources/program.json' with { type: 'json' }
import { type CollectionName, collectionNames, rowOf } from '../collections.ts'
import { exampleOf as exampleOfMethod, type MethodName, methodNames, methods } from '../control/methods.ts'
import { COMMON_ERRORS } from '../control/openapi.ts'
import { type EndpointName, endpoints } from '../endpoints.ts'
import { type ErrorKey, errors, settingOf } from '../errors.ts'
import { type Machine, machines } from '../machines.ts'
import { achReturnCodes, instantPaymentRejections, nocCodes } from '../network-codes.ts'
import { errorsOf, exampleInPath, exampleOf } from '../openapi.ts'
import { drawnValues, ProgramChanges } from '../resources/programs.ts'
import { ruleOf } from '../rules.ts'
import { Scenario, steps } from '../scenarios.ts'
import { type Shape, shapeOf } from '../shape.ts'
import { type TaskKind, taskKinds } from '../tasks.ts'
import type { Endpoint } from '../terms/endpoint.ts'
import { examples } from '../terms/examples.ts'
import { triggersById, triggersWith } from '../triggers.ts'
import { exampleDetails, listEvents, type WebhookEventName, webhookEventNames, webhookEvents } from '../webhooks.ts'
import { type Detail, fieldLines } from './fields.ts'
import type { DescribedKind } from './key.ts'
import { collectionsChangedAt, endpointsWith, topicOf } from './relations.ts'

/** Everything that has a name, with what the tables of the contract say of it. Nothing is written here for one name alone. */

export interface Entry {
  readonly kind: DescribedKind
  readonly name: string
  /** Other ways to write the name. */
  readonly aliases?: readonly string[]
  readonly summary: string
  /** Its fields, each of which can be described alone, as in `POST /transfers ach`. */
  readonly fields?: () => Shape
  /** What is given to it as key=value. */
  readonly input?: () => Shape | undefined
  /** `end` is kept where the lines are too many. */
  readonly write: (detail: Detail) => { readonly lines: readonly string[]; readonly end?: readonly string[] }
  /** Where the lines are that do not fit. */
  readonly rest?: string
  readonly see?: () => readonly Name[]
}
export type Name = readonly [kind: DescribedKind, name: string]

/** A command of the command line, as its host describes it. */
export interface CommandText {
  readonly name: string
  readonly summary: string
  readonly lines: readonly string[]
  readonly options: readonly { readonly name: string; readonly summary: string; readonly lines: readonly string[] }[]
}

const quote = (value: unknown) => `'${JSON.stringify(value).replaceAll("'", `'\\''`)}'`
const named = (label: string, texts: readonly string[], separator = ', ') =>
  texts.length === 0 ? [] : [`${label}: ${texts.join(separator)}`]
const titled = (keys: readonly ErrorKey[], { titles }: Pick<Detail, 'titles'>) =>
  keys.map((key) => (titles ? `${errors[key].code} ${errors[key].title}` : String(errors[key].code)))
const fieldsOf = (title: string, shape: Shape | undefined, detail: Detail, io?: 'output') => {
  const lines = shape ? fieldLines(shape, detail, io) : []
  return lines.length === 0 ? [] : [`${title}:`, ...lines]
}
const topLevel = (shape: Shape): readonly string[] =>
  shape.kind === 'either' ? shape.shapes.flatMap(topLevel) : shape.fields.map(({ name }) => name)
const sections = (section: string | null | undefined) => (section ? ` (section ${section} of the specification)` : '')

// ── Operations of the API ────────────────────────────────────────────────────────────────────────────────────────────

export const nameOfOperation = (name: EndpointName) => `${endpoints[name].method} ${endpoints[name].path}`

function operationEntry(id: EndpointName): Entry {
  const endpoint: Endpoint = endpoints[id]
  const { method, path, summary, description, body, query, status, response } = endpoint
  const name = nameOfOperation(id)
  const isChange = method !== 'GET' && id !== 'createAccessToken'
  const changed = isChange ? collectionsChangedAt(path) : []
  const rule = isChange ? ruleOf(name) : null
  const common = errorsOf(endpoint).filter((key) => !endpoint.errors.includes(key))
  const [, collection] = path.split('/')
  let call: string | undefined
  /** Printing the schema of a body takes tens of milliseconds. */
  const exampleCall = () => {
    const given = call === undefined && body ? exampleOf(body) : undefined
    call ??= `Example: sandbank call ${method} ${exampleAt(endpoint)}${given ? ` -d ${quote(given)}` : ''}`
    return call
  }
  return {
    kind: 'operation',
    name,
    aliases: [id, `${method} ${path.slice(1)}`],
    summary,
    fields: () => shapeOf(body ?? query ?? response, body || query ? 'input' : 'output'),
    input: () => {
      const given = method === 'GET' || method === 'DELETE' ? query : body
      return given && shapeOf(given)
    },
    write: (detail) => ({
      lines: [
        `${name}: ${summary}`,
        ...(description.replace(/\.$/, '') === summary ? [] : [description]),
        ...(rule && rule.rule !== summary ? [`Rule: ${rule.rule}${sections(rule.section)}`] : []),
        ...fieldsOf(body ? 'Body' : 'Query', body || query ? shapeOf(body ?? query!) : undefined, detail),
      ],
      end: [
        exampleCall(),
        `Answers ${status}${status === 204 ? ' without a body' : ` with ${response.meta()?.id ?? topLevel(shapeOf(response, 'output')).join(', ')}`}`,
        ...named('Errors', titled(endpoint.errors, detail)),
        ...named('Errors of other operations, too', titled(common, { titles: false })),
        ...followsOf(changed, detail),
      ],
    }),
    rest: '/openapi.json?compact',
    see: () => [
      ...collectionNames
        .filter((one) => one === collection || changed.includes(one))
        .map((one) => ['resource', one] as const),
      ...namesOfMachines(changed),
      ...endpoint.errors.map((key) => ['error', String(errors[key].code)] as const),
    ],
  }
}

const exampleAt = ({ path, example }: Endpoint) => path.replace(/\{\w+\}/g, exampleInPath(path, example))

/** What can follow from a change of records of these collections. */
const followsOf = (changed: readonly CollectionName[], detail: Detail) => [
  ...named(
    'States that can follow',
    changed.flatMap((one) => statesOf(one, detail).map((states) => `${one}.${states}`)),
    '; ',
  ),
  ...named('Tasks that can follow', tasksOf(changed)),
  ...named('Events that can follow', eventsOf(changed)),
]
const statesOf = (collection: CollectionName, { titles }: Detail) =>
  Object.entries(rowOf(collection).machines ?? {}).map(([field, name]) =>
    titles ? `${field} ${machines[name].states.join('|')}` : field,
  )
const tasksOf = (changed: readonly CollectionName[]) =>
  (Object.keys(taskKinds) as TaskKind[]).filter((kind) => changed.includes(taskKinds[kind].subject as CollectionName))
const eventsOf = (changed: readonly CollectionName[]) => changed.flatMap((one) => listEvents(topicOf(one) ?? ''))
const namesOfMachines = (changed: readonly CollectionName[]): Name[] =>
  changed.flatMap((one) =>
    Object.keys(rowOf(one).machines ?? {}).map((field) => ['machine', `${one}.${field}`] as const),
  )

// ── Methods of the control API ───────────────────────────────────────────────────────────────────────────────────────

function methodEntry(name: MethodName): Entry {
  const { summary, input, output, ...row } = methods[name]
  const example = exampleOfMethod(name)
  const hasInput = Object.keys(example).length > 0 || topLevel(shapeOf(input)).length > 0
  return {
    kind: 'method',
    name,
    summary,
    fields: () => shapeOf(input),
    input: () => shapeOf(input),
    write: (detail) => ({
      lines: [
        `${name}: ${summary}`,
        ...('isAction' in row ? ['An operator action: it changes the world or its faults, and is logged'] : []),
        ...fieldsOf('Input', shapeOf(input), detail),
      ],
      end: [
        `Example: sandbank control ${name}${hasInput ? ` ${quote(example)}` : ''}`,
        ...named('Answers with', topLevel(shapeOf(output, 'output'))),
        ...named('Errors', titled(COMMON_ERRORS, detail)),
      ],
    }),
    rest: 'GET /control/openapi.json?compact',
    see: () =>
      methodNames
        .filter((one) => one !== name && one.split('.')[0] === name.split('.')[0])
        .map((one) => ['method', one] as const),
  }
}

// ── Resources, their events and their states ─────────────────────────────────────────────────────────────────────────

function resourceEntry(name: CollectionName): Entry {
  const row = rowOf(name)
  const { one, many, schema, list, endpoints: own = {} } = row
  const related = Object.values(own as Readonly<Record<string, Endpoint>>).filter(
    ({ path }) => path.split('/')[1] === name,
  )
  const rules = Object.entries(list.rules ?? {}).map(([field, { rule }]) => `  ${field}  ${rule}`)
  return {
    kind: 'resource',
    name,
    aliases: [one, many],
    summary: `${many}: ${related.length > 0 ? related.map(({ method, path }) => `${method} ${path}`).join(', ') : `records.list ${name}`}`,
    fields: () => shapeOf(schema, 'output'),
    write: (detail) => ({
      lines: [
        `${name}: ${many}`,
        ...fieldsOf('Fields', shapeOf(schema, 'output'), detail, 'output'),
        ...(detail.meanings && rules.length > 0 ? ['Computed:', ...rules] : []),
      ],
      end: [
        `Example: sandbank control records.list ${quote({ collection: name, limit: 1 })}`,
        ...named('Filters', Object.keys(list.filters)),
        ...named('Sorts, with _asc or _desc', Object.keys(list.sort ?? {})),
        ...named(
          'Operations',
          related.map(({ method, path }) => `${method} ${path}`),
        ),
        ...named('States', statesOf(name, detail), '; '),
        ...named('Tasks', tasksOf([name])),
        ...named('Events', eventsOf([name])),
      ],
    }),
    rest: related.length > 0 ? '/openapi.json?compact' : 'GET /control/openapi.json?compact',
    see: () => [
      ...related.map(({ method, path }) => ['operation', `${method} ${path}`] as const),
      ...namesOfMachines([name]),
      ...eventsOf([name]).map((event) => ['event', event] as const),
    ],
  }
}

function eventEntry(name: WebhookEventName): Entry {
  const { topic, when, details } = webhookEvents[name]
  const subject = collectionNames.find((one) => topicOf(one) === topic)
  return {
    kind: 'event',
    name,
    summary: when,
    fields: () => shapeOf(details, 'output'),
    write: (detail) => ({
      lines: [
        `${name}: ${when}`,
        `Sent to the path /${topic} below the address of each webhook that wants the topic, as {event_type, event_id, details}`,
        ...fieldsOf('Details', shapeOf(details, 'output'), detail, 'output'),
      ],
      end: [`Example of its details: ${JSON.stringify(exampleDetails(name))}`],
    }),
    see: () => [
      ...(subject ? [['resource', subject] as const, ...namesOfMachines([subject])] : []),
      ['method', 'events.send_example'],
      ['method', 'webhooks.create'],
    ],
  }
}

function machineEntries(collection: CollectionName): Entry[] {
  return Object.entries(rowOf(collection).machines ?? {}).flatMap(([field, id]) => {
    const machine: Machine = machines[id]
    const name = `${collection}.${field}`
    const moves = Object.entries(machine.moves)
    const events = listEvents(topicOf(collection) ?? '').filter((event) => event.endsWith('status_change'))
    const about: readonly Name[] = [['resource', collection], ...events.map((event) => ['event', event] as const)]
    const describeMove = ([move, { from, to, types }]: (typeof moves)[number]) =>
      `  ${move}: ${from.join('|')} → ${to}${types ? ` (only ${types.join(', ')})` : ''}`
    const isFiltered = Object.hasOwn(rowOf(collection).list.filters, field)
    return [
      {
        kind: 'machine' as const,
        name,
        aliases: [id, machine.resource],
        summary: `The states of a ${machine.resource}: ${machine.states.join(', ')}`,
        write: () => ({
          lines: [
            `${name}: the states of a ${machine.resource}`,
            `States: ${machine.states.join(', ')}`,
            'Moves:',
            ...moves.map(describeMove),
          ],
          end: named('Tasks', tasksOf([collection])),
        }),
        see: () => [...about, ...machine.states.map((state) => ['state', `${name}.${state}`] as const)],
      },
      ...machine.states.map((state) => ({
        kind: 'state' as const,
        name: `${name}.${state}`,
        aliases: [`${collection}.${state}`, `${id}.${state}`],
        summary: `A state of a ${machine.resource}`,
        write: () => ({
          lines: [
            `${name}.${state}: a state of a ${machine.resource}`,
            ...moves.filter(([, { to }]) => to === state).map((move) => `Reached by${describeMove(move)}`),
            ...moves.filter(([, { from }]) => from.includes(state)).map((move) => `Left by${describeMove(move)}`),
            ...(moves.some(([, { from }]) => from.includes(state)) ? [] : ['Final: nothing leaves it']),
            ...(isFiltered
              ? [`Example: sandbank control records.list ${quote({ collection, [field]: [state] })}`]
              : []),
          ],
        }),
        see: () => [['machine', name] as const, ...about],
      })),
    ]
  })
}

// ── Errors, settings, tasks, steps ───────────────────────────────────────────────────────────────────────────────────

function errorEntry(key: ErrorKey): Entry {
  const { code, status, title, detail, raised, pass, section, assumed } = errors[key]
  const names = () => endpointsWith(key)
  const isOfAll = () => names().length === Object.keys(endpoints).length
  const setting = settingOf[key]
  const happens =
    raised === true
      ? []
      : [
          raised === 'inside'
            ? 'It is only inside a resource, never a response'
            : `It never happens here: ${raised.never}`,
        ]
  return {
    kind: 'error',
    name: String(code),
    aliases: [key, title],
    summary: title,
    write: () => ({
      lines: [
        `${code} ${title} (${key}, status ${status})`,
        detail,
        ...happens,
        ...named('To pass', pass === undefined ? [] : [`${pass}${sections(section)}`]),
        ...named('Setting of the Program', setting === undefined ? [] : [setting]),
        ...(assumed ? ['The code is ours: the platform publishes none'] : []),
        ...named('Answered by', isOfAll() ? ['every operation'] : names().map(nameOfOperation)),
      ],
    }),
    see: () => [
      ...(setting === undefined ? [] : [['setting', setting.split('.')[0]!] as const]),
      ...(isOfAll()
        ? []
        : names()
            .slice(0, 8)
            .map((name) => ['operation', nameOfOperation(name)] as const)),
    ],
  }
}

type Setting = keyof ProgramChanges

function settingEntry(name: Setting): Entry {
  const schema = ProgramChanges.shape[name]
  const shape = shapeOf(schema)
  const values = Object.hasOwn(drawnValues, name) ? drawnValues[name as keyof typeof drawnValues] : []
  const preset = (program as Readonly<Record<string, unknown>>)[name]
  const refusals = (Object.keys(settingOf) as ErrorKey[]).filter((key) => settingOf[key]?.split('.')[0] === name)
  const isShort = JSON.stringify(preset ?? null).length < 300
  return {
    kind: 'setting',
    name,
    aliases: [`programs.${name}`],
    summary: shape.schema.description ?? '',
    fields: () => shape,
    write: (detail) => ({
      lines: [
        `${name}: a setting of Programs`,
        ...fieldLines({ ...shape, kind: 'object', fields: [{ name, required: false, shape }] }, detail),
      ],
      end: [
        ...(preset !== undefined && isShort ? [`Default: ${JSON.stringify(preset)}`] : []),
        ...named(
          'hard_mode draws one of',
          values.map((value) => JSON.stringify(value)),
        ),
        ...(preset !== undefined && isShort
          ? [`Example: sandbank control programs.update ${quote({ uid: examples.programs, [name]: preset })}`]
          : []),
        ...named('Errors', titled(refusals, detail)),
      ],
    }),
    rest: 'GET /control/openapi.json?compact',
    see: () => [['method', 'programs.update'], ...refusals.map((key) => ['error', String(errors[key].code)] as const)],
  }
}

function taskEntry(kind: TaskKind): Entry {
  const { rule, section, subject, outcomes } = taskKinds[kind]
  return {
    kind: 'task',
    name: kind,
    summary: rule,
    write: () => ({
      lines: [
        `${kind}: a task that runs when it is due, as the clock goes on`,
        `Rule: ${rule}${sections(section)}`,
        ...named('For', subject === null ? [] : [subject]),
        ...named('Outcomes', outcomes),
        'Example: sandbank clock advance next',
      ],
    }),
    see: () => [
      ...(subject === null ? [] : [['resource', subject] as const]),
      ['method', 'tasks.list'],
      ['method', 'tasks.run'],
    ],
  }
}

function stepEntry(name: string, schema: Parameters<typeof shapeOf>[0]): Entry {
  const description = schema.meta()?.description ?? ''
  const examplesOf = () => {
    const key = shapeOf(schema).fields.find((field) => field.name === name)?.shape
    return (key ? [key, ...key.shapes] : []).flatMap(({ schema: { examples = [] } }) => examples as unknown[])
  }
  return {
    kind: 'step',
    name,
    summary: description,
    fields: () => shapeOf(schema),
    write: (detail) => ({
      lines: [`${name}: ${description}`, ...fieldLines(shapeOf(schema), detail)],
      end: named(
        'Examples',
        examplesOf().map((example) => `${name}: ${example}`),
        '; ',
      ),
    }),
    rest: '/scenario.schema.json',
    see: () =>
      Object.keys(steps)
        .filter((one) => one !== name)
        .map((one) => ['step', one] as const),
  }
}

// ── Forced outcomes ──────────────────────────────────────────────────────────────────────────────────────────────────

function triggerEntry(id: string): Entry {
  const { when, outcome, data, published } = triggersById[id]!
  const operation = data && nameOfOperation(data.endpoint)
  const fields = Object.entries(data?.fields ?? {})
  return {
    kind: 'outcome',
    name: id,
    summary: when,
    write: () => ({
      lines: [
        `${id}: ${when}`,
        `Outcome: ${outcome}`,
        ...fields.map(([field, value]) => `For example in ${operation}: ${field} ${JSON.stringify(value)}`),
        published
          ? 'The platform publishes it for its hosted sandbox'
          : 'It is ours: in a Program that behaves as the hosted sandbox it does not work',
      ],
    }),
    see: () => (operation === undefined ? [] : [['operation', operation]]),
  }
}

const codes: Readonly<Record<string, readonly [kind: string, reason: string]>> = Object.fromEntries([
  ...Object.entries(achReturnCodes).map(([code, { reason, hits, frame }]) => [
    code,
    [`returns an ACH ${hits === 'both' ? 'debit or credit' : hits}, within ${frame} after it has settled`, reason],
  ]),
  ...Object.entries(nocCodes).map(([code, reason]) => [code, ['is a notification of change for an ACH entry', reason]]),
  ...Object.entries(instantPaymentRejections).map(([code, reason]) => [code, ['rejects an instant payment', reason]]),
])

function codeEntry(code: string): Entry {
  const [what = '', reason = ''] = codes[code]!
  const forced = triggersWith(code)
  const others = (end: string) =>
    Object.keys(codes).filter((other) => other !== code && triggersWith(other).some((one) => one.end === end))
  return {
    kind: 'outcome',
    name: code,
    aliases: forced.map(({ end }) => end),
    summary: reason,
    write: () => ({
      lines: [
        `${code}: ${reason}`,
        `It ${what}`,
        ...forced.flatMap(({ end, id }) => [
          `An account number that ends in ${end} forces it (${id}): ${triggersById[id]!.when}`,
          ...others(end).map((other) => `  ${end} also forces ${other}: it ${codes[other]![0]}`),
        ]),
        ...(forced.length === 0 ? ['No data forces it'] : []),
      ],
    }),
    see: () => [...forced.map(({ id }) => ['outcome', id] as const), ['method', 'moves.make']],
  }
}

// ── Commands ─────────────────────────────────────────────────────────────────────────────────────────────────────────

const commandEntries = ({ name, summary, lines, options }: CommandText): Entry[] => [
  {
    kind: 'command',
    name,
    aliases: [`sandbank ${name}`],
    summary,
    write: () => ({ lines }),
    rest: `sandbank ${name} --help`,
    see: () => options.map((option) => ['option', `${name} ${option.name}`] as const),
  },
  ...options.map((option) => ({
    kind: 'option' as const,
    name: `${name} ${option.name}`,
    aliases: [`sandbank ${name} ${option.name}`],
    summary: option.summary,
    write: () => ({ lines: option.lines }),
    see: () => [['command', name] as const],
  })),
]

export const createEntries = (commands: readonly CommandText[]): Entry[] => [
  ...(Object.keys(endpoints) as EndpointName[]).map(operationEntry),
  ...methodNames.map(methodEntry),
  ...collectionNames.map(resourceEntry),
  ...webhookEventNames.map(eventEntry),
  ...(Object.keys(errors) as ErrorKey[]).map(errorEntry),
  ...collectionNames.flatMap(machineEntries),
  ...(Object.keys(ProgramChanges.shape) as Setting[]).map(settingEntry),
  ...(Object.keys(taskKinds) as TaskKind[]).map(taskEntry),
  stepEntry('scenario', Scenario),
  ...Object.entries(steps).map(([name, schema]) => stepEntry(name, schema)),
  ...Object.keys(triggersById).map(triggerEntry),
  ...Object.keys(codes).map(codeEntry),
  ...commands.flatMap(commandEntries),
]
