import { useState } from 'react'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { filtersOf } from './filters.ts'
import { hasOwnScope, withDefaults } from './scope.ts'
import type { ScreenProps } from './viewState.ts'
import { Text } from '#console/ui/base/Text.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import * as css from './dashboardView.module.css'

const SaveDialog = lazyComponent(async () => (await import('../save/SaveDialog.tsx')).SaveDialog)

/** Saves the condition and filters of the URL with the dashboard, or resets them to the saved ones. */
export function SaveAsDefault({ dashboard, state, onState }: ScreenProps) {
  const connection = useConnection()
  const [saving, setSaving] = useState(false)
  if (!hasOwnScope(dashboard, state) && !saving) return null
  const locked = lockReason(connection)
  const reset = () => {
    const filters = filtersOf(dashboard).map(({ id }) => [`f.${id}`, undefined])
    onState({ q: undefined, ql: undefined, ...Object.fromEntries(filters) })
  }
  const saved = () => {
    setSaving(false)
    reset()
  }
  return (
    <div className={css.saveAsDefault}>
      <Text variant="caption" color="textSecondary">
        The condition or filters differ from the dashboard’s defaults.
      </Text>
      <Button onClick={reset}>Reset to defaults</Button>
      <DisabledReason reason={locked}>
        <Button disabled={locked !== undefined} onClick={() => setSaving(true)}>
          Save as default
        </Button>
      </DisabledReason>
      {saving && (
        <SaveDialog
          base={dashboard}
          draft={withDefaults(dashboard, state)}
          back="Cancel"
          onClose={() => setSaving(false)}
          onSaved={saved}
        />
      )}
    </div>
  )
}
