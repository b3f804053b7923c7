import { Panel } from '#console/ui/layout/Panel.tsx'
import { pipeKind } from '#contract/cloud/pipeKinds.ts'
import type { Pipe } from '#contract/cloud/pipes/pipes.ts'
import { useSettingsFor } from './useSettingsFor.ts'
import { formatSetting, unknownSettings } from './settingsForm.ts'
import { Text } from '#console/ui/base/Text.tsx'
import * as base from '#console/ui/base/base.module.css'
import * as css from '../pipes.module.css'

/** The settings of a pipe by key, including defaults. */
export function SettingsPanel({ pipe }: { pipe: Pipe }) {
  const settings = useSettingsFor(pipeKind(pipe))
  const stored = pipe.settings ?? {}
  if (settings.length === 0) {
    return (
      <Panel title="Settings">
        <Text color="textSecondary">
          Database pipes have no separate settings. Their options are part of the source.
        </Text>
      </Panel>
    )
  }
  const rows = [
    ...settings.map(({ key, meaning, ...setting }) => ({
      key,
      meaning,
      value: formatSetting({ key, meaning, ...setting }, stored[key]),
    })),
    ...unknownSettings(stored).map(([key, value]) => ({ key, meaning: '', value })),
  ]
  return (
    <Panel title="Settings" flush>
      <table aria-label="Settings" className={`${base.table} ${css.settingsTable}`}>
        <thead>
          <tr>
            <th>Setting</th>
            <th className={css.valueColumn}>Value</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, meaning, value }) => (
            <tr key={key}>
              <th scope="row" className={css.setting}>
                <code>{key}</code>
                {meaning && (
                  <Text variant="caption" color="textSecondary" className={css.meaning}>
                    {meaning}
                  </Text>
                )}
              </th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  )
}
