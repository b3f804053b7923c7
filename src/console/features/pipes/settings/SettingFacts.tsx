import Typography from '@mui/material/Typography'
import { DescriptionList } from '#console/ui/DescriptionList.tsx'
import { pipeKind } from '#contract/pipeKinds.ts'
import type { Pipe } from '#contract/pipes.ts'
import { settingsFor, formatSetting, unknownSettings } from './settingsForm.ts'

/** What is set on a pipe, its defaults included. */
export function SettingFacts({ pipe }: { pipe: Pipe }) {
  const settings = settingsFor(pipeKind(pipe))
  const stored = pipe.settings ?? {}
  if (settings.length === 0) {
    return (
      <Typography color="textSecondary">
        Database pipes have no separate settings. Their options are part of the source.
      </Typography>
    )
  }
  return (
    <DescriptionList
      rows={[
        ...settings.map((setting) => [setting.key, formatSetting(setting, stored[setting.key])] as const),
        ...unknownSettings(stored),
      ]}
    />
  )
}
