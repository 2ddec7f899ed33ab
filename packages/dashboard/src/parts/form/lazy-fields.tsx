/**
 * Windows and lists that float, by the library's own names. What they are made of is a third of the library, and no screen
 * needs it to be read: it comes when something is to float. Until then a field stands where it will be; whoever touches it
 * has the real one under their hand, with the keyboard in it, and open where they pressed.
 */
import {
  type ColorInputProps,
  type DrawerProps,
  type InputWrapperProps,
  type ModalProps,
  type MultiSelectProps,
  type SelectProps,
  type StyleProp,
  type TagsInputProps,
  type TextareaProps,
  TextInput,
} from '@mantine/core'
import { IconSelector } from '@tabler/icons-react'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'

type Floating = typeof import('./floating.ts')

let loaded: Floating | undefined
/** It did not come: a window that is to open says so, in place of the screen that it belongs to. */
let missed: unknown
const waiting = new Set<() => void>()
const subscribe = (tell: () => void): (() => void) => {
  waiting.add(tell)
  return () => void waiting.delete(tell)
}

const load = async (): Promise<void> => {
  if (loaded !== undefined) return
  try {
    loaded = await import('./floating.ts')
    missed = undefined
  } catch (fault) {
    missed = fault
  }
  for (const tell of waiting) tell()
}

const useFloating = (): Floating | undefined => useSyncExternalStore(subscribe, () => loaded)

const useFloatingNow = (): Floating | undefined => {
  useEffect(() => void load(), [])
  const failed = useSyncExternalStore(subscribe, () => missed)
  if (failed !== undefined) throw failed
  return useFloating()
}

/** A window is closed by being gone: whoever opened it by the keyboard is back where they were. */
const useFocusBack = (): void => {
  const [before] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      // When it is out of the page, and nothing else took the keyboard.
      setTimeout(() => {
        const isFree = document.activeElement === null || document.activeElement === document.body
        if (isFree && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
      })
    },
    [before],
  )
}

export const Modal = (given: ModalProps) => {
  const floating = useFloatingNow()
  useFocusBack()
  return floating === undefined ? null : <floating.Modal {...given} />
}

export const Drawer = (given: DrawerProps) => {
  const floating = useFloatingNow()
  useFocusBack()
  return floating === undefined ? null : <floating.Drawer {...given} />
}

/** In a window; one that stands in a page is the library's own. */
export const Textarea = (given: TextareaProps) => {
  const floating = useFloatingNow()
  return floating === undefined ? null : <floating.Textarea {...given} />
}

type Field = Pick<
  InputWrapperProps,
  'label' | 'description' | 'error' | 'required' | 'className' | 'flex' | 'miw' | 'maw'
> & {
  readonly placeholder?: string
  readonly 'aria-label'?: string
  readonly disabled?: boolean
  readonly w?: StyleProp<React.CSSProperties['width']>
}

/** How the field that stood here was left. */
type Touched = { focused: boolean; pressed: boolean }

const useTouched = (): Touched => useRef({ focused: false, pressed: false }).current

/** As the field will look, with what it holds in words. */
const StandIn = ({ given, text, touched }: { given: Field; text: string; touched: Touched }) => {
  const { label, description, error, required, className, placeholder, disabled, w, flex, miw, maw } = given
  return (
    <TextInput
      {...{ label, description, error, className, placeholder, w, flex, miw, maw }}
      aria-label={given['aria-label']}
      required={required ?? false}
      disabled={disabled ?? false}
      value={text}
      readOnly
      rightSection={<IconSelector size={16} color="var(--sanad-quiet)" aria-hidden />}
      rightSectionPointerEvents="none"
      role="combobox"
      aria-haspopup="listbox"
      aria-expanded={false}
      onPointerEnter={() => void load()}
      onPointerDown={() => {
        touched.pressed = true
      }}
      onFocus={() => {
        touched.focused = true
        void load()
      }}
      onBlur={() => {
        touched.focused = false
        touched.pressed = false
      }}
    />
  )
}

type Option = string | { readonly value?: string; readonly label?: string }

const textOf = (data: readonly unknown[] | undefined, value: string | null | undefined): string => {
  const found = (data as readonly Option[] | undefined)?.find(
    (one) => (typeof one === 'string' ? one : one.value) === value,
  )
  return (typeof found === 'string' ? found : found?.label) ?? ''
}

const asTouched = ({ focused, pressed }: Touched) =>
  focused ? { autoFocus: true, ...(pressed ? { defaultDropdownOpened: true } : {}) } : {}

export const Select = (given: SelectProps) => {
  const floating = useFloating()
  const touched = useTouched()
  if (floating === undefined)
    return <StandIn given={given as Field} text={textOf(given.data, given.value)} touched={touched} />
  return <floating.Select {...given} {...asTouched(touched)} />
}

export const MultiSelect = (given: MultiSelectProps) => {
  const floating = useFloating()
  const touched = useTouched()
  if (floating === undefined) {
    const text = (given.value ?? []).map((value) => textOf(given.data, value)).join(', ')
    return <StandIn given={given as Field} text={text} touched={touched} />
  }
  return <floating.MultiSelect {...given} {...asTouched(touched)} />
}

export const TagsInput = (given: TagsInputProps) => {
  const floating = useFloating()
  const touched = useTouched()
  if (floating === undefined)
    return <StandIn given={given as Field} text={(given.value ?? []).join(', ')} touched={touched} />
  return <floating.TagsInput {...given} {...(touched.focused ? { autoFocus: true } : {})} />
}

export const ColorInput = (given: ColorInputProps) => {
  const floating = useFloating()
  const touched = useTouched()
  if (floating === undefined) return <StandIn given={given as Field} text={given.value ?? ''} touched={touched} />
  return <floating.ColorInput {...given} {...(touched.focused ? { autoFocus: true } : {})} />
}
