/** Devices that are told apart of one user; those beyond are taken for one. */
export const userDevicesMax = 250;

/** A device without an id, which every such attempt of a user is on. */
const unnamedDevice = 0;

/** What rules call a device. Takes its number among those of its user. */
export function deviceName(device: number): string {
  return `device-${device + 1}`;
}

/** The device that an import knows of a user whose devices have no ids. */
export const importedDevice = deviceName(unnamedDevice);

/** The devices of one user after another: each gets the next number when it is first seen. */
export class UserDevices {
  readonly #ids: number[] = [];

  /** Begins with another user. Takes the ids of the devices that his passkeys are bound to, in their order; 0 for none. */
  begin(windows: number, mac: number): void {
    this.#ids.length = 0;
    for (const id of boundDevices(windows, mac)) this.#ids.push(id);
  }

  /** The number of a device. Takes its id in the import, 0 for none. */
  of(id: number): number {
    if (id === 0) return unnamedDevice;
    const known = this.#ids.indexOf(id);
    if (known >= 0) return known + 1;
    if (this.#ids.length >= userDevicesMax) return userDevicesMax;
    this.#ids.push(id);
    return this.#ids.length;
  }
}

/** Numbers of the devices that passkeys of a system are bound to, as `UserDevices` counts them. Takes the ids, 0 for none. */
export function boundNumbers(windows: number, mac: number): Readonly<Record<'windows' | 'mac', number>> {
  const ids = boundDevices(windows, mac);
  return { windows: ids.indexOf(windows) + 1, mac: ids.indexOf(mac) + 1 };
}

function boundDevices(windows: number, mac: number): readonly number[] {
  return [...new Set([windows, mac])].filter((id) => id !== 0);
}
