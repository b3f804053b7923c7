import { FieldGrid } from '#console/ui/form/FieldGrid.tsx'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { defaultPipeSize } from '#contract/pipePrices.ts'
import { parametersFor, type Values } from '../model/scalingParameters.ts'
import { ScalingParameterField } from '../scaling/ScalingParameterField.tsx'
import { SettingField } from '../settings/SettingField.tsx'
import { useSettingsFor } from '../settings/useSettingsFor.ts'
import type { PipeFieldsProps } from './fieldProps.ts'
import type { CreatableKind, PipeForm } from './pipeForm.ts'
import { Text } from '#console/ui/base/Text.tsx'

/** The values that a new pipe starts with by default. */
const initialValues: Values = { ...defaultPipeSize, concurrency: 0 }

/** Size and settings of a new pipe. Both can be changed later. */
export function ScalingAndSettingsFields({ control, locked, kind }: PipeFieldsProps & { kind: CreatableKind }) {
  const settings = useSettingsFor(kind)
  if (kind === 'postgres') {
    return (
      <Panel title="Size">
        <Text color="textSecondary">
          All database pipes of a service share one size. Change it on the page of the service.
        </Text>
      </Panel>
    )
  }
  return (
    <>
      <Panel title="Size" aside="Can be changed later">
        {parametersFor(kind).applicable.map((parameter) => (
          <ScalingParameterField<PipeForm>
            key={parameter.field}
            control={control}
            // The form has all of the contract's parameters.
            name={`scaling.${parameter.field as keyof PipeForm['scaling']}`}
            parameter={parameter}
            current={initialValues[parameter.field] ?? null}
            disabled={locked}
          />
        ))}
      </Panel>
      <Panel title="Settings" aside="Leave empty for the default">
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
