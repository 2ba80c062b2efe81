/** Maximum number of distinct devices per user; further devices count as one. */
export const userDevicesMax = 250;

/** Number of the device without an id, which all such attempts of a user share. */
const unnamedDevice = 0;

/** Returns the device id for rules from the number of a device within its user. */
export function deviceName(device: number): string {
  return `device-${device + 1}`;
}

/** Device of imported users whose devices have no ids. */
export const importedDevice = deviceName(unnamedDevice);

/** Numbers the devices of one user at a time, in order of first appearance. */
export class UserDevices {
  readonly #ids: number[] = [];

  /**
   * Starts another user. The arguments are the ids of the devices to which the user's passkeys are bound, in order; 0
   * for none.
   */
  begin(windows: number, mac: number): void {
    this.#ids.length = 0;
    for (const id of boundDevices(windows, mac)) this.#ids.push(id);
  }

  /** Returns the number of a device. `id` is its id in the import, or 0 for none. */
  of(id: number): number {
    if (id === 0) return unnamedDevice;
    const known = this.#ids.indexOf(id);
    if (known >= 0) return known + 1;
    if (this.#ids.length >= userDevicesMax) return userDevicesMax;
    this.#ids.push(id);
    return this.#ids.length;
  }
}

/**
 * Returns the numbers that `UserDevices` assigns to the devices of bound passkeys, by system. The arguments are device
 * ids, or 0 for none.
 */
export function boundNumbers(windows: number, mac: number): Readonly<Record<'windows' | 'mac', number>> {
  const ids = boundDevices(windows, mac);
  return { windows: ids.indexOf(windows) + 1, mac: ids.indexOf(mac) + 1 };
}

function boundDevices(windows: number, mac: number): readonly number[] {
  return [...new Set([windows, mac])].filter((id) => id !== 0);
}
