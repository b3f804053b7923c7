import { visibleSentence } from '#domain/text/visibleText.ts'
import { CopyButton } from './actions/CopyButton.tsx'
import { ScrollRegion } from './layout/ScrollRegion.tsx'
import * as css from './ui.module.css'

/** JSON as it was received, to view and copy. Invisible characters are shown, and copied as they are. */
export function JsonView({ text, label = 'JSON' }: { text: string; label?: string }) {
  return (
    <div className={css.jsonView}>
      <div className={css.copyButton}>
        <CopyButton text={text} label="Copy JSON" />
      </div>
      <ScrollRegion as="pre" label={label} className={css.jsonScroller}>
        {visibleSentence(text)}
      </ScrollRegion>
    </div>
  )
}
