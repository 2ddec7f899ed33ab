/** The value of a field, and how it changes: `<TextInput {...bindText(name, setName)} />`. */

type Change<Part> = { readonly currentTarget: Part }

export const bindText = (value: string, set: (value: string) => void) => ({
  value,
  onChange: ({ currentTarget }: Change<{ readonly value: string }>) => set(currentTarget.value),
})

/** The same for a box or a switch. */
export const bindTick = (checked: boolean, set: (checked: boolean) => void) => ({
  checked,
  onChange: ({ currentTarget }: Change<{ readonly checked: boolean }>) => set(currentTarget.checked),
})
