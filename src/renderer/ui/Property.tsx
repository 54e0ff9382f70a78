import { Breaking } from './Text.tsx'

/** One property, named as the interface names it. */
export function Property({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <>
      <dt title={name}>
        <Breaking>{name}</Breaking>
      </dt>
      <dd>{children}</dd>
    </>
  )
}
