import { Text } from '#console/ui/base/Text.tsx'
import { PanelPopover } from '#console/ui/layout/PanelPopover.tsx'
import css from './ConditionSyntax.module.css'

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

interface ConditionSyntaxProps {
  anchor: HTMLElement
  onClose: () => void
}

/** The syntax of the field:value language, by example. */
export function ConditionSyntax({ anchor, onClose }: ConditionSyntaxProps) {
  return (
    <PanelPopover label="Conditions" anchor={anchor} onClose={onClose} className={css.conditionHelp}>
      <Text variant="h3" component="h2" className={css.title}>
        Conditions
      </Text>
      <dl className={css.examples}>
        {examples.map(([example, meaning]) => (
          <div key={example} className={css.example}>
            <dt>
              <code>{example}</code>
            </dt>
            <dd className={css.meaning}>{meaning}</dd>
          </div>
        ))}
      </dl>
      <Text color="textSecondary" className={css.sqlNote}>
        In SQL, a condition is an expression over the columns of the source, such as <code>Duration &gt; 1e9</code>.
      </Text>
    </PanelPopover>
  )
}
