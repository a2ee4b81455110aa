#include "experiment/mount_table.h"

#include <gtest/gtest.h>
#include <sys/mount.h>

namespace sigwhy::experiment {
namespace {

TEST(MountTable, LinesOfTheKernel) {
  const auto mounts = parse_mount_table(
      "22 27 0:21 / /proc rw,relatime - proc proc rw\n"
      "27 1 254:0 / / rw,relatime shared:1 master:2 - ext4 /dev/vda rw,discard\n"
      "30 25 0:27 / /dev/shm rw,nosuid,nodev,noexec - tmpfs tmpfs rw,size=65536k\n"
      "31 27 8:1 /a\\040b /mnt/a\\040b,c ro,relatime - ext4 /dev/sda1 rw\n"
      "32 27 8:2 / /mnt/whole rw - ext4 /dev/sdb ro\n"
      "nonsense\n"
      "33 27 8:2\n");
  ASSERT_EQ(mounts.size(), 5u);
  EXPECT_EQ(mounts[1].point, "/");
  EXPECT_EQ(mounts[1].type, "ext4");
  EXPECT_FALSE(mounts[1].read_only);
  EXPECT_EQ(mounts[2].flags, static_cast<unsigned long>(MS_NOSUID | MS_NODEV | MS_NOEXEC));
  EXPECT_EQ(size_option(mounts[2].options), 65536u << 10);
  EXPECT_EQ(mounts[3].point, "/mnt/a b,c");
  EXPECT_TRUE(mounts[3].read_only);
  EXPECT_TRUE(mounts[4].read_only);
}

TEST(MountTable, BelowIsByFolders) {
  EXPECT_TRUE(lies_below("/mnt/a", "/"));
  EXPECT_TRUE(lies_below("/mnt/a", "/mnt"));
  EXPECT_TRUE(lies_below("/mnt", "/mnt"));
  EXPECT_FALSE(lies_below("/mnt2", "/mnt"));
  EXPECT_FALSE(lies_below("/mnt", "/mnt/a"));
}

TEST(MountTable, ThisProcessSeesARootFirst) {
  const auto mounts = visible_mounts();
  ASSERT_FALSE(mounts.empty());
  EXPECT_EQ(mounts[0].point, "/");
}

}  // namespace
}  // namespace sigwhy::experiment
