import * as css from './base.module.css'

/** A key as it is printed on the keyboard. */
export function Kbd({ children }: { children: string }) {
  return <kbd className={css.kbd}>{children}</kbd>
}
