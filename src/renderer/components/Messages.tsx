import { JsonView } from '../ui/CodeBlock.tsx'
import { Caption, Columns } from '../ui/Layout.tsx'
import { Text } from '../ui/Text.tsx'

interface Message {
  readonly title: string
  /** Beside the title. */
  readonly head: string | undefined
  readonly body: string | undefined
  /** In the place of the body. */
  readonly none: string
  /** The fields to mark, and how. */
  readonly extra?: string
  readonly errorLabel?: string
}

interface MessagesProps {
  readonly messages: readonly Message[]
  readonly className?: string | undefined
}

/** The bodies of two messages beside each other: a request and its response, or two responses. */
export const Messages = ({ messages, className }: MessagesProps) => (
  <Columns className={className} style={{ background: 'var(--well)' }}>
    {messages.map(({ title, head, body, none, ...marks }) => (
      <section key={title} aria-label={title}>
        <Caption>
          <h3>{title}</h3>
          {head !== undefined && (
            <span className="mono cut" title={head}>
              <Text>{head}</Text>
            </span>
          )}
        </Caption>
        {body ? (
          <JsonView body={body} {...marks} />
        ) : (
          <Caption as="p" className="data faint">
            {none}
          </Caption>
        )}
      </section>
    ))}
  </Columns>
)
