import type { SourceMatch } from '#console/charting/sourceMatch.ts'
import type { Source } from '#contract/stack/sources.ts'
import { Text } from '#console/ui/base/Text.tsx'
import { SelectInput } from '#console/ui/SelectInput.tsx'
import * as css from '../charting.module.css'

interface MatchTableProps {
  matches: readonly SourceMatch[]
  candidates: readonly Source[]
  onChoose: (from: string, to: string) => void
}

/** Maps each source to one of the candidates and shows how the match was found. */
export function MatchTable({ matches, candidates, onChoose }: MatchTableProps) {
  if (matches.length === 0) return <Text color="textSecondary">No sources to map.</Text>
  return (
    <table className={css.matchTable}>
      <thead>
        <tr>
          <th scope="col">Source</th>
          <th scope="col">Use instead</th>
        </tr>
      </thead>
      <tbody>
        {matches.map(({ reference, to, how }) => (
          <tr key={reference.id}>
            <td>
              {reference.name}
              <Text variant="caption" color="textSecondary" className={css.source}>
                {formatSource(reference)}
              </Text>
            </td>
            <td>
              <SelectInput
                label={`Use instead of ${reference.name}`}
                hiddenLabel
                help={to ? how : <span className={css.matchTableNone}>{how}</span>}
                value={to?.id ?? ''}
                options={candidates
                  .filter(({ kind }) => reference.kind === '' || kind === reference.kind)
                  .map(({ id, name }) => ({ value: id, label: name }))}
                onChange={(id) => onChoose(reference.id, id)}
                className={css.matchTableChoice}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function formatSource({ kind, from }: SourceMatch['reference']): string {
  return [kind, from?.tableName && `${from.databaseName}.${from.tableName}`].filter(Boolean).join(' · ')
}
