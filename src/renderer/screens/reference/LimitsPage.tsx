import { errors } from '../../../api/contract/errors.ts'
import { ProgramSettings } from '../../../api/contract/resources/programs.ts'
import { MAX_LIMIT } from '../../../api/contract/terms/list.ts'
import { ScreenLink } from '../../components/ScreenLink.tsx'
import { useProgram } from '../../data/use-program.ts'
import { formatAmount, formatCount } from '../../format/numbers.ts'
import { flattenShape, shapeOf } from '../../forms/shape.ts'
import { valueAt } from '../../forms/values.ts'
import { PaneIntro } from '../../ui/Layout.tsx'
import { Part, RefTable } from './Tables.tsx'

export function LimitsPage() {
  const { tooManyRequests } = errors
  return (
    <>
      <PaneIntro as="header">
        <h2>Limits</h2>
        <p className="soft">
          There is no rate limit unless the operator sets one in <ScreenLink screen="faults">Faults</ScreenLink>. Above
          it, a request gets {tooManyRequests.status}/{tooManyRequests.code} with the header Retry-After.
        </p>
      </PaneIntro>
      <RequestLimits />
      <Part title="This Program" about={<ScreenLink screen="settings">Program settings</ScreenLink>}>
        <ProgramLimits />
      </Part>
    </>
  )
}

function RequestLimits() {
  const { bodyTooLarge, duplicateTraceId, invalidLimit, unauthorized } = errors
  return (
    <RefTable label="Limits of any request" heads={['Limit', 'Value', 'Response']} widths={['30%', '26%', '44%']}>
      <tr>
        <th scope="row">Size of a request body</th>
        <td>1 MB</td>
        <td>
          {bodyTooLarge.status}/{bodyTooLarge.code}: {bodyTooLarge.detail}
        </td>
      </tr>
      <tr>
        <th scope="row">Items in a list</th>
        <td>100 by default, at most {formatCount(MAX_LIMIT)}</td>
        <td>
          a larger limit is reduced to {formatCount(MAX_LIMIT)}, and the response says so; below 0:{' '}
          {invalidLimit.status}/{invalidLimit.code}
        </td>
      </tr>
      <tr>
        <th scope="row">Lifetime of an x-trace-id</th>
        <td>7 days of simulated time</td>
        <td>
          if it is sent again: {duplicateTraceId.status}/{duplicateTraceId.code}: {duplicateTraceId.detail}
        </td>
      </tr>
      <tr>
        <th scope="row">Lifetime of an access token</th>
        <td>8 hours of simulated time</td>
        <td>
          {unauthorized.status}/{unauthorized.code}: {unauthorized.detail}
        </td>
      </tr>
    </RefTable>
  )
}

function ProgramLimits() {
  const program = useProgram()
  return (
    <RefTable
      label="Limits of this Program"
      heads={['Setting', 'Value', 'Description']}
      figures={1}
      widths={['46%', '15%', '39%']}
    >
      {listLimitSettings().map(({ path, description }) => (
        <tr key={path}>
          <th scope="row">
            <code>{path}</code>
          </th>
          <td data-value>{formatLimit(valueAt(program, path.split('.')))}</td>
          <td>{description}</td>
        </tr>
      ))}
    </RefTable>
  )
}

/** The Program settings that are limits. One without a description has the description of its group. */
function listLimitSettings() {
  const rows = flattenShape(shapeOf(ProgramSettings))
  const descriptionAt = (path: string) => rows.find((row) => row.path === path)?.shape.schema.description
  return rows
    .filter(({ path, shape }) => /limits|minutes|hours/.test(path) && shape.kind !== 'object')
    .map(({ path }) => ({
      path,
      description: descriptionAt(path) ?? descriptionAt(path.split('.').slice(0, -1).join('.')),
    }))
}

function formatLimit(value: unknown): string {
  if (value === null) return 'no limit'
  if (typeof value === 'number') return formatCount(value)
  return value === undefined ? '–' : formatAmount(String(value))
}
