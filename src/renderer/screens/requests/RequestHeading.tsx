import { Row } from '../../ui/Layout.tsx'
import { Text } from '../../ui/Text.tsx'

interface RequestHeadingProps {
  readonly method: string
  readonly path: string
  /** The part of the path that the API refused. */
  readonly wrong?: string | undefined
  /** Below the heading. */
  readonly facts: React.ReactNode
  /** Beside the heading. */
  readonly children: React.ReactNode
}

const REFUSED = { color: 'var(--bad)', background: 'var(--bad-wash)', boxShadow: 'inset 0 -2px var(--bad)' }

/** Method and path of a request at the top of the inspector. */
export function RequestHeading({ method, path, wrong, facts, children }: RequestHeadingProps) {
  const at = wrong === undefined ? -1 : path.indexOf(wrong)
  const [before, after] = at < 0 ? [path, ''] : [path.slice(0, at), path.slice(at + wrong!.length)]
  return (
    <>
      <Row align="start" gap={8} style={{ padding: '8px 16px 4px' }}>
        <h2 style={{ font: '600 13px / 20px var(--mono)', overflowWrap: 'anywhere' }}>
          {method} <Text>{before}</Text>
          {at >= 0 && (
            <mark style={REFUSED} title="The API refused this uid">
              <Text>{wrong!}</Text>
            </mark>
          )}
          <Text>{after}</Text>
        </h2>
        {children}
      </Row>
      <p className="meta wrap" style={{ padding: '0 16px 4px' }}>
        {facts}
      </p>
    </>
  )
}
