import { CopyButton } from '#console/ui/actions/CopyButton.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import * as css from './people.module.css'

/** Something that is shown only now. */
export function NewSecret({ text, copy, children }: { text: string; copy: string; children: string }) {
  return (
    <>
      <Notice tone="warning" role="status">
        {children}
      </Notice>
      <div className={css.secret}>
        <code>{text}</code>
        <CopyButton text={text} label={copy} compact />
      </div>
    </>
  )
}
