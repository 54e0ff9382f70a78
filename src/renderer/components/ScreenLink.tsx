import type { LucideIcon } from 'lucide-react'
import { flushRoute, type Route, useRouteHref } from '../data/route.ts'
import { ButtonIcon, type ButtonStyle, buttonAttributes } from '../ui/Button.tsx'

type ScreenLinkProps = Partial<Route> & Pick<React.ComponentProps<'a'>, 'className' | 'title' | 'tabIndex' | 'children'>

/** A link within the window, in the same Program. Writes a pending address first, so that Back returns to it. */
export function ScreenLink({ screen = null, collection = null, record = null, params = {}, ...link }: ScreenLinkProps) {
  return <a onClick={flushRoute} href={useRouteHref({ screen, collection, record, params })} {...link} />
}

/** The same, styled as a button. */
export function ButtonLink({ primary, bare, small, iconOnly, icon, className, children, ...link }: ButtonLinkProps) {
  return (
    <ScreenLink {...link} {...buttonAttributes({ primary, bare, small, iconOnly }, className)}>
      {icon && <ButtonIcon of={icon} />}
      {children}
    </ScreenLink>
  )
}

interface ButtonLinkProps extends ScreenLinkProps, ButtonStyle {
  readonly icon?: LucideIcon
}
