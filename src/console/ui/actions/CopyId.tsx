import { CopyButton } from './CopyButton.tsx'
import css from './CopyId.module.css'

/** An id in fixed-width letters, with a button that copies it. */
export function CopyId({ id, label = 'Copy ID' }: { id: string; label?: string }) {
  return (
    <span className={css.copyId}>
      <code className={css.code}>{id}</code>
      <CopyButton text={id} label={label} compact />
    </span>
  )
}
