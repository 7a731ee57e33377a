/* Prints the name and the GUID of the device from the list. */
#include <endian.h>
#include <inttypes.h>
#include <stdio.h>

#include <infiniband/verbs.h>

int main(void)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	printf("%s %016" PRIx64 "\n", ibv_get_device_name(list[0]),
	       be64toh(ibv_get_device_guid(list[0])));
	ibv_free_device_list(list);
	return 0;
}
