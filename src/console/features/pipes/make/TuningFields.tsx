import Typography from '@mui/material/Typography'
import { FieldGrid } from '#console/ui/form/FieldGrid.tsx'
import { SliderField } from '#console/ui/form/SliderField.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { defaultPipeSize } from '#contract/pipePrices.ts'
import { boundsWords, knobsFor, valueWords, type Values } from '../scaling/knobs.ts'
import { SettingField } from '../settings/SettingField.tsx'
import { settingsFor } from '../settings/settingsForm.ts'
import type { PipeFieldsProps } from './fieldsOf.ts'
import type { MakeableKind, PipeForm } from './pipeForm.ts'

/** What a new pipe starts with where nothing is said. */
const starts: Values = { ...defaultPipeSize, concurrency: 0 }

/** Size and tuning of a new pipe; both can be changed at any time later. */
export function TuningFields({ control, locked, kind }: PipeFieldsProps & { kind: MakeableKind }) {
  const settings = settingsFor(kind)
  if (kind === 'postgres') {
    return (
      <Panel title="Size">
        <Typography color="textSecondary">
          Database pipes share one size for the whole service. It is set on the page of the service.
        </Typography>
      </Panel>
    )
  }
  return (
    <>
      <Panel title="Size" aside="can be changed at any time">
        {knobsFor(kind).turning.map((knob) => (
          <SliderField<PipeForm>
            key={knob.field}
            control={control}
            // The knobs are those of the contract, which the form has all.
            name={`scaling.${knob.field as keyof PipeForm['scaling']}`}
            label={knob.title}
            range={knob.range}
            bounds={boundsWords(knob)}
            unit={knob.unit}
            current={starts[knob.field] ?? null}
            marks={knob.marks}
            words={(value) => valueWords(knob, value)}
            disabled={locked}
          />
        ))}
      </Panel>
      <Panel title="Settings" aside="an empty field is the default">
        <FieldGrid>
          {settings.map((setting) => (
            <SettingField<PipeForm>
              key={setting.key}
              control={control}
              name={`settings.${setting.key}`}
              setting={setting}
              locked={locked}
            />
          ))}
        </FieldGrid>
      </Panel>
    </>
  )
}
