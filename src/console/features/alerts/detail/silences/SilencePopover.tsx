import { chosenZone } from '#console/shell/browserSettings.ts'
import { ianaName, type Zone } from '#domain/time/zone.ts'
import { useState } from 'react'
import { type Control, useWatch } from 'react-hook-form'
import { storedNow } from '#console/api/guardedWrite.ts'
import { formatError } from '#console/api/errors.ts'
import { silenceOf } from '#console/records/alerts/alertStates.ts'
import { toast } from '#console/shell/messages/toasts.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { DateTimeField } from '#console/ui/form/fields/DateTimeField.tsx'
import { NumberField } from '#console/ui/form/fields/NumberField.tsx'
import { RadioField } from '#console/ui/form/fields/RadioField.tsx'
import { SelectField } from '#console/ui/form/fields/SelectField.tsx'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { TogglesField } from '#console/ui/form/fields/TogglesField.tsx'
import { SubmitError } from '#console/ui/form/SubmitError.tsx'
import { useSchemaForm } from '#console/ui/form/useSchemaForm.ts'
import { sameValue } from '#console/ui/form/values.ts'
import { counted } from '#domain/text/words.ts'
import { Column } from '#console/ui/layout/Column.tsx'
import { PanelPopover } from '#console/ui/layout/PanelPopover.tsx'
import { focusFirstField } from '#console/ui/mui/focusFirstField.ts'
import { Notice } from '#console/ui/Notice.tsx'
import { alerts, type Alert } from '#contract/stack/alerts.ts'
import { formatRecent } from '#console/ui/time/formatRecent.ts'
import { formatMeanwhile, formatReplaced } from './replacing.ts'
import { emptySilence, silenceBody, silenceLengths, silenceSchema, type SilenceForm } from './silences.ts'
import { useSilences } from './useAlertOperations.ts'
import { formatNextWindow, weekdayNames } from './weekly.ts'
import * as css from '../alertDetail.module.css'

interface SilencePopoverProps {
  alert: Alert
  /** The groups of the last evaluation, by key. Empty if they are not known, or the alert has none. */
  groups: readonly string[]
  anchor: HTMLElement | null
  onClose: () => void
}

/** Silences an alert or one group of it: for some time, until a date, or every week. */
export function SilencePopover({ anchor, onClose, ...rest }: SilencePopoverProps) {
  return (
    <PanelPopover label="Silence" anchor={anchor} onClose={onClose} className={css.silencePopover}>
      <SilenceFormFields {...rest} onClose={onClose} />
    </PanelPopover>
  )
}

function SilenceFormFields({ alert, groups, onClose }: Omit<SilencePopoverProps, 'anchor'>) {
  const zone = chosenZone()
  const { control, handleSubmit } = useSchemaForm(silenceSchema, emptySilence)
  const values = useWatch({ control, compute: (form: SilenceForm) => form })
  const { length } = values
  const [opened] = useState(Date.now)
  const { send, silence, blocked, base, meanwhile } = useSilencing(alert, values, zone, onClose)
  const replaced = formatReplaced(base, values, zone, opened)
  return (
    <form ref={focusFirstField} onSubmit={(event) => void handleSubmit(send)(event)} noValidate>
      <Text color="textSecondary" className={css.silenceLead}>
        Evaluation continues. Messages are not sent.
      </Text>
      <div className={css.lengths}>
        <RadioField control={control} name="length" label="Length" hiddenLabel options={lengthOptions(opened, zone)} />
      </div>
      <Column gap={12} className={css.silenceFields}>
        {length === 'weekly' && <WeeklyFields control={control} values={values} zone={zone} now={opened} />}
        {(length === 'weekly' || length === 'date') && (
          <DateTimeField
            zone={zone}
            control={control}
            name="until"
            label={length === 'weekly' ? 'Repeat until' : 'Until'}
            help={`In ${zone === 'local' ? 'the time zone of this browser' : ianaName(zone)}`}
            required
          />
        )}
        {groups.length > 0 && (
          <SelectField
            control={control}
            name="group"
            label="For"
            options={[
              { value: '', label: `Whole alert, ${counted(groups.length, 'group')}` },
              ...groups.map((value) => ({ value, label: value })),
            ]}
          />
        )}
        <TextField control={control} name="reason" label="Reason" maxLength={512} />
        {replaced && !meanwhile && <Notice tone="warning">{replaced}</Notice>}
        {meanwhile && (
          <Notice tone="warning" role="alert">
            {meanwhile}
          </Notice>
        )}
        {silence.error && !meanwhile && <SubmitError error={formatError(silence.error, location.pathname)} />}
        {blocked && <Notice tone="info">{blocked}</Notice>}
        <Button
          type="submit"
          variant="contained"
          color="primary"
          loading={silence.isPending}
          disabled={blocked !== undefined}
        >
          {submitLabel(length)}
        </Button>
      </Column>
    </form>
  )
}

/** Sends the form. A silence that somebody else sets while the form is open is shown before it is replaced. */
function useSilencing(alert: Alert, values: SilenceForm, zone: Zone, onClose: () => void) {
  const [base, setBase] = useState(alert)
  const { silence, blocked } = useSilences(alert)
  const [conflict, setConflict] = useState<{ text: string; form: SilenceForm } | null>(null)
  const showConflict = (now: Alert | null, form: SilenceForm) => {
    if (!now) return
    setBase(now)
    const theirs = silenceOf(now, form.group || undefined, timeNow())
    setConflict({ text: formatMeanwhile(theirs, submitLabel(form.length), zone), form: values })
  }
  const send = (form: SilenceForm) => {
    setConflict(null)
    silence.mutate(
      { alert: base, body: silenceBody(form, zone, timeNow()) },
      {
        onError: (error) => showConflict(storedNow(error, alerts.get.result), form),
        onSuccess: () => {
          toast({ tone: 'ok', text: form.group ? `Group ${form.group} silenced` : 'Alert silenced' })
          onClose()
        },
      },
    )
  }
  // Until something else is chosen.
  const meanwhile = conflict && sameValue(conflict.form, values) ? conflict.text : null
  return { send, silence, blocked, base, meanwhile }
}

interface WeeklyFieldsProps {
  control: Control<SilenceForm>
  values: SilenceForm
  zone: Zone
  now: number
}

/** The days and hours of a maintenance window, and when it is next. */
function WeeklyFields({ control, values, zone, now }: WeeklyFieldsProps) {
  return (
    <>
      <TogglesField control={control} name="weekdays" label="Weekdays" options={weekdays} />
      <div className={css.silenceWindow}>
        <TextField control={control} name="start" label="Start" type="time" />
        <NumberField control={control} name="minutes" label="Length (min)" />
      </div>
      <Text variant="caption" color="textSecondary" role="status">
        Weekdays and start in {ianaName(zone)}. {formatNextWindow(values, zone, now, Date.parse(values.until)) ?? ''}
      </Text>
    </>
  )
}

/** When something is sent, and not when it is drawn. */
const timeNow = () => Date.now()

const weekdays = weekdayNames.map((label, value) => ({ value, label }))

/** How long: each choice with the time at which it would end. */
const lengthOptions = (now: number, zone: Zone) => [
  ...silenceLengths.map(({ value, label }) => ({
    value,
    label,
    detail: `until ${formatRecent(now + Number(value) * 60_000, now, zone)}`,
  })),
  { value: 'date', label: 'Until a date…' },
  { value: 'weekly', label: 'Every week (maintenance window)…' },
]

function submitLabel(length: SilenceForm['length']): string {
  const known = silenceLengths.find(({ value }) => value === length)
  if (known) return `Silence for ${known.label}`
  return length === 'weekly' ? 'Add maintenance window' : 'Silence until this date'
}
