import * as css from './actions.module.css'

/** A line between the groups of a menu. */
export function MenuDivider() {
  return <hr className={css.menuDivider} />
}
