import { Link } from '@tanstack/react-router'
import { visibleText } from '#domain/text/visibleText.ts'
import { useCrumbs, useParentCrumbs } from './navigation.ts'
import * as css from './navigation.module.css'

/** Where the page lies, each step a link but the last. */
export function Breadcrumbs() {
  const parents = useParentCrumbs()
  const crumbs = [...parents, ...useCrumbs()]
  return (
    <nav aria-label="Breadcrumbs">
      <ol className={css.breadcrumbs}>
        {crumbs.map((crumb, at) => {
          const open = at === crumbs.length - 1
          return (
            <li key={crumb.path} className={css.crumb}>
              {at > 0 && <span aria-hidden>/</span>}
              {open ? (
                <span aria-current="page" className={css.current}>
                  {visibleText(crumb.title)}
                </span>
              ) : (
                <Link to={crumb.path} className={css.breadcrumbsLink}>
                  {visibleText(crumb.title)}
                </Link>
              )}
            </li>
          )
        })}
      </ol>
    </nav>
  )
}
