import { CircleHelp } from 'lucide-react'
import { useState } from 'react'
import { PanelPopover } from '#console/ui/layout/PanelPopover.tsx'
import { IconButton } from '#console/ui/base/IconButton.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import css from './ConditionHelp.module.css'

const examples: [string, string][] = [
  ['error', 'the word, anywhere in the body'],
  ['"connection refused"', 'the exact phrase'],
  ['SeverityText:error', 'field contains the word, case-insensitive'],
  ['SeverityText:"error"', 'field equals the value'],
  ['ServiceName:(cart OR checkout)', 'any of the values'],
  ['Duration:>1000000', 'comparison: > >= < <='],
  ['SeverityNumber:[17 TO 24]', 'range; { } excludes the bounds, * is unbounded'],
  ['LogAttributes.http.status_code:500', 'attribute by name'],
  ['TraceId:*', 'field exists'],
  ['-ServiceName:cart, NOT …', 'not'],
  ['a b, a AND b, a OR b, (…)', 'and, or, grouping'],
]

/** The syntax of the field:value language, by example. */
export function ConditionHelp() {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  return (
    <>
      <IconButton
        aria-label="Condition help"
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
        size="small"
      >
        <CircleHelp size={15} aria-hidden />
      </IconButton>
      <PanelPopover label="Conditions" anchor={anchor} onClose={() => setAnchor(null)} className={css.conditionHelp}>
        <Text variant="h3" component="h2" className={css.text}>
          Conditions
        </Text>
        <dl className={css.list}>
          {examples.map(([example, meaning]) => (
            <div key={example} className={css.box}>
              <dt>
                <code>{example}</code>
              </dt>
              <dd className={css.value}>{meaning}</dd>
            </div>
          ))}
        </dl>
        <Text color="textSecondary" className={css.text2}>
          In SQL, a condition is an expression over the columns of the source, such as <code>Duration &gt; 1e9</code>.
        </Text>
      </PanelPopover>
    </>
  )
}
