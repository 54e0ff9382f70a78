import { flushRoute, type Route, useRouteHref } from '../data/route.ts'

type ScreenLinkProps = Partial<Route> &
  Pick<React.ComponentProps<'a'>, 'className' | 'title' | 'tabIndex' | 'children'> & { readonly likeliest?: boolean }

/** A link to another place of the window, in the same Program. What was selected a moment ago is in the address first. */
export function ScreenLink({
  screen = null,
  collection = null,
  record = null,
  params = {},
  likeliest,
  ...link
}: ScreenLinkProps) {
  return (
    <a
      onClick={flushRoute}
      href={useRouteHref({ screen, collection, record, params })}
      data-likeliest={likeliest ? '' : undefined}
      {...link}
    />
  )
}
