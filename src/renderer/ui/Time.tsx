interface TimeProps extends React.ComponentProps<'time'> {
  readonly at: string
  readonly format: (ms: number) => string
}

/** An instant as text. Its tooltip has it in UTC. */
export const Time = ({ at, format, ...time }: TimeProps) => (
  <time dateTime={at} title={at} {...time}>
    {format(Date.parse(at))}
  </time>
)
