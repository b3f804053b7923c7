import { Text } from '#console/ui/base/Text.tsx'
import { PanelPopover } from '#console/ui/layout/PanelPopover.tsx'
import * as css from '../charting.module.css'

const examples: [string, string][] = [
  ['error', 'the word, anywhere in the body, in any case'],
  ['"connection refused"', 'the exact phrase'],
  ['conn*, *refus*', 'a body that begins with the text, or contains it'],
  ['12:30:45, std::exception', 'text, where no field can be meant'],
  [String.raw`"Error: timeout", Error\: timeout`, 'text with a colon; a field that does not exist is refused'],
  ['SeverityText:error', 'field contains the text, in any case'],
  ['SeverityText:"error"', 'field equals the value'],
  ['ServiceName:(cart OR checkout)', 'any of the values'],
  ['Duration:>1000000', 'comparison: > >= < <='],
  ['SeverityNumber:[17 TO 24]', 'range; { } excludes the bounds, * is unbounded'],
  ['LogAttributes.http.status_code:500', 'attribute by name'],
  [String.raw`LogAttributes.the\ name:x`, String.raw`\ before a space, : * ( ) and " in a name or a word`],
  ['TraceId:*', 'field has a value'],
  ['-ServiceName:cart, NOT …', 'all other rows, those without a value among them'],
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
      <Text variant="h3" component="h2" className={css.syntaxTitle}>
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
      <Text color="textSecondary" className={css.syntaxNote}>
        The search page searches a word before a colon as text if there is no such field. Alerts and tiles refuse it,
        because a misspelled field would never match.
      </Text>
      <Text color="textSecondary" className={css.syntaxNote}>
        In SQL, a condition is an expression over the columns of the source, such as <code>Duration &gt; 1e9</code>.
      </Text>
    </PanelPopover>
  )
}
