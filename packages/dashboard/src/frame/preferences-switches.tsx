/** The preferences of this browser: theme, digits, row height. */
import { SegmentedControl, Stack, Text, useMantineColorScheme } from '@mantine/core'
import { useId, useState } from 'react'
import { useWords } from '../words/language.ts'
import { readPreference, savePreference } from '../words/preferences.ts'

const Choice = (props: {
  label: string
  value: string
  data: { value: string; label: string }[]
  choose: (value: string) => void
}) => {
  const id = useId()
  return (
    <Stack gap={4}>
      <Text size="sm" c="dimmed" id={id}>
        {props.label}
      </Text>
      <SegmentedControl
        aria-labelledby={id}
        size="xs"
        fullWidth
        data={props.data}
        value={props.value}
        onChange={props.choose}
      />
    </Stack>
  )
}

export const Switches = () => {
  const { t } = useWords()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const [digits, setDigits] = useState(readPreference('digits') ?? 'latn')
  const [density, setDensity] = useState(readPreference('density') ?? 'comfortable')
  return (
    <Stack gap="sm">
      <Choice
        label={t('frame.theme')}
        value={colorScheme}
        data={[
          { value: 'light', label: t('frame.themeLight') },
          { value: 'dark', label: t('frame.themeDark') },
          { value: 'auto', label: t('frame.themeAuto') },
        ]}
        choose={(value) => {
          savePreference('theme', value)
          setColorScheme(value as 'light' | 'dark' | 'auto')
        }}
      />
      <Choice
        label={t('frame.digits')}
        value={digits}
        data={[
          { value: 'latn', label: t('frame.digitsLatin') },
          { value: 'arab', label: t('frame.digitsArabic') },
        ]}
        choose={(value) => {
          savePreference('digits', value)
          setDigits(value)
        }}
      />
      <Choice
        label={t('frame.density')}
        value={density}
        data={[
          { value: 'comfortable', label: t('frame.densityComfortable') },
          { value: 'dense', label: t('frame.densityDense') },
        ]}
        choose={(value) => {
          savePreference('density', value)
          setDensity(value)
          document.documentElement.style.setProperty('--sanad-row', value === 'dense' ? '36px' : '44px')
        }}
      />
    </Stack>
  )
}
