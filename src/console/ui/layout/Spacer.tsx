import * as css from './layout.module.css'

/** Takes the free space of a row or column, so that what follows is at its end. */
export function Spacer() {
  return <div className={css.spacer} />
}
