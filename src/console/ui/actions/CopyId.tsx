import { CopyButton } from './CopyButton.tsx'
import * as css from './actions.module.css'

/** An id in fixed-width letters, with a button that copies it. */
export function CopyId({ id, label = 'Copy ID' }: { id: string; label?: string }) {
  return (
    <span className={css.copyId}>
      <code className={css.copyIdCode}>{id}</code>
      <CopyButton text={id} label={label} compact />
    </span>
  )
}
