/*
 * The campaign of bench/forecast-tenant.ts as one would write it by hand: its rules as conditions, its lifecycle as a counter and a
 * time. It draws the same numbers from the same tables of chances as the program does, so that both must count the same; what is
 * compared is how long that takes.
 *
 * Usage: forecast-loop TABLES USERS ROUNDS. Prints for each round the ms of processor time, and then the totals.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { DAYS_MAX = 4000, REASONS = 32, PATHS = 10, DAY_MINUTES = 1440, LAST_MINUTE = 1424, SNOOZE_MINUTES = 3 * 1440 };
/* Numbers of reasons, as the program numbers them. */
enum { SSO_SESSION = 6, CONDITION_UNMET = 12, TERMS_OF_USE = 13, MOBILE = 16, ALREADY_REGISTERED = 25, SNOOZED = 27 };
enum { SKIPPED, CLOSED, LEFT_OPEN, CLOSED_IN_SETUP, REGISTERED, FAILED_SKIPPED };

static int32_t reasons[DAYS_MAX][REASONS], prompts[DAYS_MAX][2 * PATHS], unreached[DAYS_MAX][REASONS], days_of[DAYS_MAX][8];

static inline uint32_t rotated(uint32_t x, int by) { return (x << by) | (x >> (32 - by)); }

static inline void threefry(uint32_t k0, uint32_t k1, uint32_t c0, uint32_t c1, uint32_t out[2]) {
  const uint32_t k2 = k0 ^ k1 ^ 0x1bd11bda;
  uint32_t a = c0 + k0, b = c1 + k1;
#define MIX(r) a += b, b = rotated(b, r) ^ a
  MIX(13), MIX(15), MIX(26), MIX(6), a += k1, b += k2 + 1;
  MIX(17), MIX(29), MIX(16), MIX(24), a += k2, b += k0 + 2;
  MIX(13), MIX(15), MIX(26), MIX(6), a += k0, b += k1 + 3;
  MIX(17);
  out[0] = a, out[1] = b;
}

static uint32_t *read_table(FILE *file) {
  uint32_t length;
  if (fread(&length, 4, 1, file) != 1) exit(2);
  uint32_t *words = malloc(4 * (size_t)length + 4);
  if (fread(words, 4, length, file) != length) exit(2);
  return words;
}

static inline uint32_t drawn(const uint32_t *thresholds, const uint32_t *outcomes, int bits, uint32_t word) {
  const uint32_t column = word >> (32 - bits), pair = outcomes[column];
  return (word & (0xffffffffu >> bits)) < thresholds[column] ? pair & 0xffff : pair >> 16;
}

int main(int count, char **arguments) {
  if (count != 4) return 2;
  FILE *file = fopen(arguments[1], "rb");
  if (file == NULL) return 2;
  const int users = atoi(arguments[2]), rounds = atoi(arguments[3]);
  const uint32_t *head = read_table(file), *start_t = read_table(file), *start_o = read_table(file), *gaps = read_table(file);
  const uint32_t *hour_t = read_table(file), *hour_o = read_table(file), *answer_t = read_table(file), *answer_o = read_table(file);
  const int days = head[0], weekday_before = head[1], start_bits = head[2], gap_bits = head[3], answer_rounds = head[4];
  const uint32_t seed = head[5];
  uint32_t *ends = malloc(4 * (size_t)users);
  for (int round = 0; round < rounds; round++) {
    memset(reasons, 0, sizeof reasons), memset(prompts, 0, sizeof prompts);
    memset(unreached, 0, sizeof unreached), memset(days_of, 0, sizeof days_of);
    struct timespec began, ended;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &began);
    for (int user = 0; user < users; user++) {
      uint32_t block[2], second = 0, words = 0;
      threefry(seed, user, 0, 2, block);
      /* Of the three kinds of user the second holds the app with push already; guests are asked like anybody. */
      int has_app = drawn(start_t, start_o, start_bits, block[0]) == 1;
      int snoozes = 0, asked = 0, required_once = 0, due = -(1 << 30), latest = 0, day = -1, weekday = weekday_before;
      for (;;) {
        uint32_t word = second;
        if ((words & 1) == 0) {
          threefry(seed, user, words >> 1, 0, block);
          word = block[0], second = block[1];
        }
        const uint32_t number = words++;
        const uint32_t *column = gaps + 2 * (((uint32_t)weekday << gap_bits) + (word >> (32 - gap_bits)));
        const uint32_t outcome =
            (word & (0xffffffffu >> gap_bits)) < column[0] ? column[1] & 0xffff : column[1] >> 16;
        const int gap = outcome & 7;
        if (gap == 0) {
          day += 7;
          if (day >= days) break;
          continue;
        }
        day += gap;
        if (day >= days) break;
        weekday = (weekday + gap) % 7;
        const int kind = outcome >> 5, platform = kind / 4, circumstance = kind % 4;
        int reason = 0, minute = 0;
        uint32_t answer = 0;
        if (circumstance == 1) reason = SSO_SESSION;
        else if (circumstance == 3) reason = CONDITION_UNMET;
        else if (circumstance == 2) reason = TERMS_OF_USE;
        else if (platform == 2) reason = MOBILE;
        else if (has_app) reason = ALREADY_REGISTERED;
        else if (day * DAY_MINUTES + LAST_MINUTE < due) reason = SNOOZED;
        else {
          threefry(seed, user, number, 1, block);
          const uint32_t hour_column = block[0] >> 27, hours = hour_o[hour_column];
          const int hour = ((block[0] >> 12) & 0x7fff) < hour_t[hour_column] ? hours & 0xff : hours >> 8;
          minute = hour * 60 + (((block[0] & 0xfff) * (hour == 23 ? 45 : 60)) >> 12);
          answer = block[1];
          if (day * DAY_MINUTES + minute < due) reason = SNOOZED;
        }
        if (reason != 0) {
          reasons[day][reason]++;
          if (asked == 0 && reason != latest) unreached[day][latest]--, unreached[day][reason]++, latest = reason;
          continue;
        }
        const int required = snoozes >= 3;
        const int answers = ((asked < answer_rounds ? asked : answer_rounds - 1) * 2 + required) * 2 + 1;
        const int path = drawn(answer_t + 16 * answers, answer_o + 16 * answers, 4, answer);
        prompts[day][required * PATHS + path]++;
        if (asked++ == 0) days_of[day][0]++, unreached[day][latest]--;
        if (required && !required_once) required_once = 1, days_of[day][1]++;
        if (path == REGISTERED) has_app = 1, days_of[day][2]++;
        else if (!required && (path == SKIPPED || path == CLOSED)) {
          snoozes++, due = day * DAY_MINUTES + minute + SNOOZE_MINUTES, days_of[day][3]++;
        }
      }
      ends[user] = (uint32_t)snoozes << 24 | (uint32_t)(asked > 255 ? 255 : asked) << 16 | has_app;
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ended);
    printf("%.3f\n", (ended.tv_sec - began.tv_sec) * 1e3 + (ended.tv_nsec - began.tv_nsec) / 1e6);
  }
  for (int reason = 0; reason < REASONS; reason++) {
    long sum = 0;
    for (int day = 0; day < days; day++) sum += reasons[day][reason];
    if (sum > 0) printf("reason %d %ld\n", reason, sum);
  }
  for (int path = 0; path < 2 * PATHS; path++) {
    long sum = 0;
    for (int day = 0; day < days; day++) sum += prompts[day][path];
    if (sum > 0) printf("path %d %ld\n", path, sum);
  }
  return 0;
}
