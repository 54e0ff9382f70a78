import { Row, Stack } from './Box.tsx'
import { Caption } from './Layout.tsx'

interface SectionProps extends Omit<React.ComponentProps<typeof Stack>, 'title'> {
  readonly title: string
  /** Beside the title. */
  readonly note?: React.ReactNode
  /** At the right of the title. */
  readonly end?: React.ReactNode
  /** Of its heading. */
  readonly level?: 2 | 3
}

/** A part of a page with its title. */
export const Section = ({ title, note, end, level = 2, children, ...box }: SectionProps) => (
  <Stack as="section" aria-label={title} {...box}>
    <Caption>
      {level === 2 ? <h2>{title}</h2> : <h3>{title}</h3>}
      {note !== undefined && <span className="meta">{note}</span>}
      {end && <span className="end data">{end}</span>}
    </Caption>
    {children}
  </Stack>
)

/** A line of 24 px of a list in such a part. */
export const Line = ({ style, ...box }: React.ComponentProps<typeof Row>) => (
  <Row as="li" gap={12} least={24} text="data" line="bottom" style={{ padding: '4px 16px 3px', ...style }} {...box} />
)
